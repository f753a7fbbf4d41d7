#include "conformance/suites/trial_folders.h"

#include <filesystem>

namespace plumb::conformance {
namespace {

void MakeEmpty(const std::string& folder) {
  std::filesystem::create_directory(folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) std::filesystem::remove_all(entry.path());
}

}  // namespace

TrialFolders::TrialFolders(const std::string& folder)
    : reference_(folder + "/reference"), backend_(folder + "/backend") {
  Empty();
}

void TrialFolders::Empty() const {
  MakeEmpty(reference_);
  MakeEmpty(backend_);
}

void TrialFolders::EnterReference() const { std::filesystem::current_path(reference_); }

void TrialFolders::EnterBackend() const { std::filesystem::current_path(backend_); }

}  // namespace plumb::conformance
