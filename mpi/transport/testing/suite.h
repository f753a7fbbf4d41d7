// What every transport keeps, as checks that all ranks run at once: as threads over loopback, as processes over MPI.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mpi/transport/testing/mailbox.h"
#include "mpi/transport/transport.h"

namespace plumb::dist {

// One rank of a check. The end was started with the box.
struct Seat {
  Transport& end;
  Mailbox& box;
  std::function<void()> crash;  // ends this rank as SIGKILL would
};

struct Check {
  std::string name;
  void (*run)(Seat& seat);  // throws where the contract does not hold
  enum class After { kGoesOn, kIsStopped, kIsBroken } after = After::kGoesOn;  // the state in which it leaves the end
  int least_ranks = 1;
};

const std::vector<Check>& TransportChecks();

// Returns once all ranks have come here, and everything sent before has arrived.
void Meet(Seat& seat);

}  // namespace plumb::dist
