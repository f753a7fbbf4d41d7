// Trial folders of a test, which goes back to the folder that it came from.
#pragma once

#include <filesystem>

#include "conformance/suites/trial_folders.h"
#include "spec/files/temporary_folder.h"

namespace plumb::conformance {

class TemporaryTrialFolders {
 public:
  TemporaryTrialFolders() : before_(std::filesystem::current_path()), folders_(folder_.path()) {}
  ~TemporaryTrialFolders() { std::filesystem::current_path(before_); }
  TemporaryTrialFolders(const TemporaryTrialFolders&) = delete;
  TemporaryTrialFolders& operator=(const TemporaryTrialFolders&) = delete;

  const TrialFolders& operator*() const { return folders_; }
  const TrialFolders* operator->() const { return &folders_; }

 private:
  const std::filesystem::path before_;
  const TemporaryFolder folder_;
  const TrialFolders folders_;
};

}  // namespace plumb::conformance
