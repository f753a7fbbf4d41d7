#include "mpi/transport/open_mpi/mend_binding.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "mpi/transport/open_mpi/binding.h"

namespace plumb::dist {
namespace {

std::vector<std::string> Environment() {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

// What all ranks of the host say of themselves, and of whoever started them.
HostBinding Gathered(MPI_Comm here, const cpu_set_t& of_starter) {
  int ranks = 0;
  MPI_Comm_size(here, &ranks);
  const cpu_set_t mine[2] = {CoresOfThisProcess(), of_starter};
  std::vector<cpu_set_t> all(static_cast<size_t>(ranks) * std::size(mine));
  MPI_Allgather(mine, sizeof(mine), MPI_BYTE, all.data(), sizeof(mine), MPI_BYTE, here);
  HostBinding binding;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  for (size_t i = 0; i < all.size(); i += std::size(mine)) {
    binding.ranks.push_back(Listed(all[i]));
    CPU_OR(&allowed, &allowed, &all[i + 1]);
  }
  binding.allowed = Listed(allowed);
  return binding;
}

}  // namespace

std::string MendBinding(MPI_Comm here, const std::string& host, int* cores) {
  const cpu_set_t of_starter = CoresOfStarter();
  const HostBinding found = Gathered(here, of_starter);
  int mends = IsBoundByDefault(Environment()) && LeavesCoresIdle(found) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &mends, 1, MPI_INT, MPI_MIN, here);
  if (mends != 0) RunOn(of_starter);
  int place = 0;
  MPI_Comm_rank(here, &place);
  *cores = ShareOf(mends != 0 ? Gathered(here, of_starter) : found, static_cast<size_t>(place));
  return place == 0 ? BindingNote(found, mends != 0, host) : "";
}

}  // namespace plumb::dist
