#include "mpi/transport/open_mpi/binding.h"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string_view>

#include "spec/core/status.h"

namespace plumb::dist {
namespace {

// Each of these, in the environment that mpirun gives to ranks, is an option of the user's that says where they run.
constexpr std::string_view kChoices[] = {"OMPI_MCA_hwloc_base_bind", "OMPI_MCA_hwloc_base_cpu",
                                         "OMPI_MCA_rmaps_base_cpus_per", "OMPI_MCA_orte_rankfile",
                                         "OMPI_MCA_rmaps_rank_file"};
constexpr std::string_view kMapping = "OMPI_MCA_rmaps_base_mapping_policy=", kBound = "OMPI_MCA_orte_bound_at_launch=";
constexpr std::string_view kStarters[] = {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prted"};
constexpr int kMostParents = 16;

// All none where the system does not say.
cpu_set_t CoresOf(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(process, sizeof(set), &set) != 0) CPU_ZERO(&set);
  return set;
}

std::string WordIn(const std::string& file) {
  std::ifstream stream(file);
  std::string word;
  std::getline(stream, word);
  return word;
}

// "1234 (name) S PARENT …"; a name may hold anything. 0 where there is no such process.
pid_t ParentOf(pid_t process) {
  const std::string stat = WordIn(Str("/proc/", process, "/stat"));
  const size_t name_ends = stat.rfind(')');
  return name_ends == std::string::npos || name_ends + 4 > stat.size() ? 0 : std::atoi(stat.c_str() + name_ends + 4);
}

// Who started this rank, though by way of a script; else this process itself.
pid_t Starter() {
  pid_t process = getppid();
  for (int i = 0; i < kMostParents && process > 1; ++i, process = ParentOf(process)) {
    const std::string name = WordIn(Str("/proc/", process, "/comm"));
    if (std::find(std::begin(kStarters), std::end(kStarters), name) != std::end(kStarters)) return process;
  }
  return getpid();
}

Cores United(const std::vector<Cores>& all) {
  Cores united;
  for (const Cores& cores : all) united.insert(united.end(), cores.begin(), cores.end());
  std::sort(united.begin(), united.end());
  united.erase(std::unique(united.begin(), united.end()), united.end());
  return united;
}

// How many cores the rank has that has the fewest.
size_t Fewest(const HostBinding& binding) {
  size_t fewest = binding.allowed.size();
  for (const Cores& cores : binding.ranks) fewest = std::min(fewest, cores.size());
  return fewest;
}

}  // namespace

bool IsBoundByDefault(const std::vector<std::string>& environment) {
  bool is_bound = false;
  for (const std::string& each : environment) {
    const auto begins = [&](std::string_view prefix) { return each.starts_with(prefix); };
    if (std::any_of(std::begin(kChoices), std::end(kChoices), begins)) return false;
    if (begins(kMapping) && each.find("PE", kMapping.size()) != std::string::npos) return false;
    is_bound = is_bound || begins(kBound);
  }
  return is_bound;
}

bool LeavesCoresIdle(const HostBinding& binding) {
  if (binding.ranks.empty() || Fewest(binding) == 0) return false;
  const size_t share = std::max<size_t>(1, binding.allowed.size() / binding.ranks.size());
  return Fewest(binding) < share || United(binding.ranks).size() < binding.allowed.size();
}

int ShareOf(const HostBinding& binding, size_t rank) {
  std::map<std::ptrdiff_t, std::ptrdiff_t> cores_by_users;
  for (const int core : binding.ranks[rank]) {
    ++cores_by_users[std::count_if(binding.ranks.begin(), binding.ranks.end(), [&](const Cores& cores) {
      return std::binary_search(cores.begin(), cores.end(), core);
    })];
  }
  std::ptrdiff_t share = 0;
  for (const auto& [users, cores] : cores_by_users) share += cores / users;
  return std::max(1, static_cast<int>(share));
}

std::string BindingNote(const HostBinding& found, bool is_mended, const std::string& host) {
  const size_t cores = found.allowed.size(), ranks = found.ranks.size();
  if (is_mended) {
    return Str("Open MPI had bound ranks on ", host, " to ", Fewest(found), " of its ", cores,
               " cores; they run on all of them now (mpirun --bind-to says otherwise)");
  }
  if (cores > 0 && ranks > cores) {
    return Str(ranks, " ranks share the ", cores, cores == 1 ? " core of " : " cores of ", host,
               " and take turns: start at most one rank for each core");
  }
  return "";
}

Cores Listed(const cpu_set_t& set) {
  Cores cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

cpu_set_t CoresOfThisProcess() { return CoresOf(0); }

cpu_set_t CoresOfStarter() { return CoresOf(Starter()); }

void RunOn(const cpu_set_t& set) {
  const std::unique_ptr<DIR, int (*)(DIR*)> threads(opendir("/proc/self/task"), closedir);
  if (threads == nullptr) return;
  while (const dirent* const thread = readdir(threads.get())) {
    if (const int id = std::atoi(thread->d_name); id > 0) sched_setaffinity(id, sizeof(set), &set);
  }
}

}  // namespace plumb::dist
