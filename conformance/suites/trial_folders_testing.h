// Trial folders of a test, which goes back to the folder that it came from.
#pragma once

#include "conformance/suites/trial_folders.h"
#include "spec/files/working_folder_testing.h"

namespace plumb::conformance {

class TemporaryTrialFolders {
 public:
  const TrialFolders& operator*() const { return folders_; }
  const TrialFolders* operator->() const { return &folders_; }

 private:
  const TemporaryWorkingFolder folder_;
  const TrialFolders folders_{folder_.path()};
};

}  // namespace plumb::conformance
