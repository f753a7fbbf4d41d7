// On which cores the ranks of a host run. Open MPI binds ranks unless it is told otherwise: two of them to one core
// each, whatever threads they have, and ranks of two hosts that are one machine to the same cores.
#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace plumb::dist {

// Numbers of processors, in order.
using Cores = std::vector<int>;

// The ranks of one host.
struct HostBinding {
  Cores allowed = {};             // where mpirun may run, and so each rank
  std::vector<Cores> ranks = {};  // where each does, by its place among them
};

// Whether Open MPI chose a binding for the process with this environment, "NAME=VALUE" each, and the user none.
bool IsBoundByDefault(const std::vector<std::string>& environment);
// Whether the ranks leave cores idle that they could use: a rank has less than an even share of them, or nobody has
// some.
bool LeavesCoresIdle(const HostBinding& binding);
// How many cores a rank has, where it shares each evenly with the others that may run there; at least one.
int ShareOf(const HostBinding& binding, size_t rank);
// What people are told of a host: that its ranks run on more cores than Open MPI gave them, or that there are more of
// them than cores. "": nothing.
std::string BindingNote(const HostBinding& found, bool is_mended, const std::string& host);

// Of this system: numbers of the processors in a set; where this process may run, and where the one may that started
// it, though by way of a script (none where the system does not say); and, from now on, where all threads of this
// process do.
Cores Listed(const cpu_set_t& set);
cpu_set_t CoresOfThisProcess();
cpu_set_t CoresOfStarter();
void RunOn(const cpu_set_t& set);

}  // namespace plumb::dist
