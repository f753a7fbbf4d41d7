// What mpirun is told besides, so that ranks start wherever they are launched and run on all cores.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/launch/launch.h"

namespace plumb::tools {

// The machine, and who launches on it.
struct Launcher {
  int cores = 1;  // as mpirun counts them: those with several threads once
  bool is_root = false;
  bool may_run_as_root = false;  // whether the environment allows it to mpirun
  bool is_in_a_job = false;      // of a batch system, which tells mpirun the hosts
};
Launcher ThisLauncher();

struct LaunchDefaults {
  std::vector<std::string> options = {};                              // before the user's own
  std::vector<std::pair<std::string, std::string>> environment = {};  // of mpirun
  std::vector<std::string> notes = {};                                // for people
};
// Ranks are bound to no cores, may be more than the cores of this machine where they all run here, and may be root's.
// What the user says of binding, of places or in the environment counts instead.
LaunchDefaults DefaultsOf(const Launch& launch, const Launcher& launcher);

}  // namespace plumb::tools
