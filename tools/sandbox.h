// --sandbox of the commands that run graphs.
#pragma once

#include <string>

#include "backends/library/library.h"
#include "spec/core/status.h"

namespace plumb::tools {

// Comes before the session is opened. The files of this process are confined (spec/files/file_system.h), which a shared
// library does not ask: kInvalidArgument for one as the backend.
inline void CheckSandbox(const std::string& sandbox, const std::string& backend) {
  Require(sandbox.empty() || !library::IsLibrary(backend), "--sandbox does not hold for the library '", backend,
          "', which opens files by itself: leave --sandbox out, or take a backend of plumb's own");
}

}  // namespace plumb::tools
