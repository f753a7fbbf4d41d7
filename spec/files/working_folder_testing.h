// A fresh folder in which a test works, as the whole process does; in the end it goes back to where it came from.
#pragma once

#include <filesystem>
#include <string>

#include "spec/files/temporary_folder.h"

namespace plumb {

class TemporaryWorkingFolder {
 public:
  TemporaryWorkingFolder() { std::filesystem::current_path(folder_.path()); }
  ~TemporaryWorkingFolder() { std::filesystem::current_path(before_); }
  TemporaryWorkingFolder(const TemporaryWorkingFolder&) = delete;
  TemporaryWorkingFolder& operator=(const TemporaryWorkingFolder&) = delete;
  const std::string& path() const { return folder_.path(); }

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
  const TemporaryFolder folder_;
};

}  // namespace plumb
