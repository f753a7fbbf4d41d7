// --sandbox of the commands that run graphs.
#pragma once

#include <filesystem>
#include <string>

#include "backends/library/library.h"
#include "spec/core/status.h"
#include "spec/files/file_system.h"

namespace plumb::tools {

// Comes before the session is opened. The files of this process are confined (spec/files/file_system.h), which a shared
// library does not ask: kInvalidArgument for one as the backend.
inline void CheckSandbox(const std::string& sandbox, const std::string& backend) {
  Require(sandbox.empty() || !library::IsLibrary(backend), "--sandbox does not hold for the library '", backend,
          "', which opens files by itself: leave --sandbox out, or take a backend of plumb's own");
}

// A folder's state file names its latest checkpoint, `prefix`, and may come from whoever the graph comes from.
// kInvalidArgument where that lies elsewhere.
inline void CheckThatItLiesThere(const std::string& checkpoint, const std::string& prefix) {
  if (prefix == checkpoint) return;
  const auto folder = std::filesystem::weakly_canonical(checkpoint + "/");
  Require(std::filesystem::weakly_canonical(FolderOf(prefix) + "/") == folder, "'", checkpoint, "/checkpoint' names '",
          prefix, "', which lies elsewhere: with --sandbox, name that itself by --restore");
}

}  // namespace plumb::tools
