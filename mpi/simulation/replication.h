// Synchronous replicas over parameter servers: what a step takes (OSDI paper, figures 7 and 8).
#pragma once

#include "mpi/simulation/costs.h"
#include "mpi/simulation/network.h"

namespace plumb::dist {

// Who takes part, and what one worker does in a step.
struct Replication {
  int servers = 16, workers = 1;
  int backup = 0;              // workers beside those whose gradients an update waits for
  double fetched_bytes = 64;   // from all servers together
  double fetched_rows = 0;     // that are looked up for that
  double gradient_bytes = 64;  // to all servers together
  double compute = 0;          // seconds, mostly
  double noise = 0;            // of that, what comes on top on the average
  double slow = 0;             // the share of steps in which a worker is held up
  double held_up = 0;          // by so many times `compute`, on the average
  int steps = 21;
};

// Each step: a worker fetches from all servers, computes, and hands its gradients to all servers; the first server's
// task makes the update when enough have done so, and gives every worker a token. Who is late takes the newest token.
// The median seconds of a step.
double MedianStep(const Replication& replication, const Costs& costs, const NetworkOptions& network);

}  // namespace plumb::dist
