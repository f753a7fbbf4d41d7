// `plumb launch`: mpirun, started again from the last checkpoint when a rank dies.
#pragma once

#include <string>
#include <vector>

namespace plumb::tools {

struct Launch {
  int ranks = 1;
  int restarts = 0;  // of all ranks, after failures
  int grace = 30;    // seconds from SIGTERM to the end
  std::string mpirun = "mpirun";
  std::vector<std::string> mpirun_options = {};
  std::vector<std::string> command = {};  // that each rank runs
};

// Runs the ranks until they end well, until there have been too many failures, or until this process is asked to stop;
// the exit code of the last run. Each failure is told on the error output: which rank, and where the next run begins.
// Throws kInvalidArgument for numbers out of range and for no command, kNotFound where there is no mpirun.
int RunWithRestarts(const Launch& launch);

}  // namespace plumb::tools
