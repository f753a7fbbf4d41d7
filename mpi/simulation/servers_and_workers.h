// A network whose first tasks are servers; the others are workers, which ask all servers at once.
#pragma once

#include "mpi/simulation/costs.h"
#include "mpi/simulation/network.h"

namespace plumb::dist {

class ServersAndWorkers {
 public:
  ServersAndWorkers(int servers, int workers, const Costs& costs, const NetworkOptions& options)
      : servers_(servers), costs_(costs), network_(servers + workers, options) {}

  VirtualNetwork& network() { return network_; }
  int TaskOf(int worker) const { return servers_ + worker; }

  // What so many bytes cost who sends them, and who receives them.
  double Moved(double bytes) const { return costs_.message + bytes * costs_.byte; }
  // A request of so many bytes to each server, which works on it and answers; `then` when all have.
  void AskAll(int worker, double bytes, double work, double answered, VirtualNetwork::Then then);

 private:
  const int servers_;
  const Costs costs_;
  VirtualNetwork network_;
};

}  // namespace plumb::dist
