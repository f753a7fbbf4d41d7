// Where the relative names of files lead while an op is tried: each side has a folder of its own, so that neither reads
// what the other wrote.
#pragma once

#include <string>

namespace plumb::conformance {

// Changes the folder of the whole process, which tries one op at a time.
class TrialFolders {
 public:
  // Below `folder`, which exists.
  explicit TrialFolders(const std::string& folder);

  // Both are empty now.
  void Empty() const;
  void EnterReference() const;
  void EnterBackend() const;

 private:
  const std::string reference_, backend_;
};

}  // namespace plumb::conformance
