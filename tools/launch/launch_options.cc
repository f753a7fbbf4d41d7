#include "tools/launch/launch_options.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <set>
#include <string_view>

#include "spec/core/status.h"

namespace plumb::tools {
namespace {

constexpr const char* kAllowRoot[] = {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"};
constexpr const char* kJobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"};  // SLURM's, PBS's, LSF's

// Whether an option, or the value of one, begins with one of these.
bool Says(const Launch& launch, std::initializer_list<std::string_view> words) {
  return std::any_of(launch.mpirun_options.begin(), launch.mpirun_options.end(), [&](std::string_view option) {
    while (option.starts_with('-')) option.remove_prefix(1);
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return option.starts_with(word); });
  });
}

// Threads of one core have equal lists of siblings.
int PhysicalCores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof(allowed), &allowed);
  std::set<std::string> cores;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed)) continue;
    std::ifstream file(Str("/sys/devices/system/cpu/cpu", processor, "/topology/thread_siblings_list"));
    std::string siblings;
    cores.insert(std::getline(file, siblings) ? siblings : Str("alone ", processor));
  }
  return std::max(1, static_cast<int>(cores.size()));
}

}  // namespace

Launcher ThisLauncher() {
  const bool may = std::all_of(std::begin(kAllowRoot), std::end(kAllowRoot),
                               [](const char* name) { return std::getenv(name) != nullptr; });
  const bool is_in_a_job =
      std::any_of(std::begin(kJobs), std::end(kJobs), [](const char* name) { return std::getenv(name) != nullptr; });
  return {PhysicalCores(), geteuid() == 0, may, is_in_a_job};
}

LaunchDefaults DefaultsOf(const Launch& launch, const Launcher& launcher) {
  LaunchDefaults defaults;
  const bool binds = Says(launch, {"bind-to", "cpu-list", "cpu-set", "cpus-per", "rf", "rankfile", "hwloc_base_bind"});
  const bool gives_cores = std::any_of(launch.mpirun_options.begin(), launch.mpirun_options.end(),
                                       [](const std::string& option) { return option.find(":PE=") != option.npos; });
  if (!binds && !gives_cores) defaults.options = {"--bind-to", "none"};
  const bool places =
      Says(launch, {"host", "H", "machinefile", "default-hostfile", "oversubscribe", "nooversubscribe"});
  if (!places && !launcher.is_in_a_job && launch.ranks > launcher.cores) {
    defaults.options.emplace_back("--oversubscribe");
    defaults.notes.push_back(Str(launch.ranks, " ranks take turns on ", launcher.cores,
                                 launcher.cores == 1 ? " core" : " cores", ", by mpirun --oversubscribe"));
  }
  if (launcher.is_root && !launcher.may_run_as_root) {
    for (const char* name : kAllowRoot) defaults.environment.emplace_back(name, "1");
    defaults.notes.push_back(Str("the ranks run as root: ", kAllowRoot[0], "=1 and ", kAllowRoot[1], "=1 are set"));
  }
  return defaults;
}

}  // namespace plumb::tools
