// A command and all processes that come from it: started, told to stop, and gone in the end.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace plumb::tools {

struct Ended {
  int code = 0;              // its exit code, or 128 and the signal that killed it
  bool was_stopped = false;  // because this process was asked to
  std::string errors;        // the end of what it wrote to its error output, which was passed on
};

// Runs the command until it ends. argv[0] is looked for in PATH; kNotFound where it is not there.
//
// SIGTERM and SIGINT to this process go to the ranks, if all `ranks` of them run on this machine, and else to the
// command; what still runs after `grace` is killed. Whatever way the command ends, no process that came from it is
// left on this machine. This process has no other children meanwhile.
Ended RunUntilEnd(const std::vector<std::string>& argv, int ranks, std::chrono::milliseconds grace);

}  // namespace plumb::tools
