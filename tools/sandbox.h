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

// Confines the files of this process to the folder `sandbox`, if one is named, and to those of the checkpoint `prefix`.
// If the user named a folder instead, `checkpoint`, its state file names the latest one there, and may come from
// whoever the graph comes from: kInvalidArgument where that lies elsewhere.
inline void ConfineFilesBut(const std::string& sandbox, const std::string& checkpoint, const std::string& prefix) {
  if (sandbox.empty()) return;
  const auto whole = [](const std::string& folder) { return std::filesystem::weakly_canonical(folder + "/"); };
  Require(prefix == checkpoint || whole(FolderOf(prefix)) == whole(checkpoint), "'", checkpoint, "/checkpoint' names '",
          prefix, "', which lies elsewhere: with --sandbox, name that itself by --restore");
  ConfineFiles(sandbox, prefix);
}

}  // namespace plumb::tools
