// Pass: a Recv whose value is wanted late waits until the work before it is done (rule W35). Ordering only.
#pragma once

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

void ScheduleReceives(StepGraph& graph);

// The latest time at which each node may start without making the step longer, and the step's length (W35's ALAP).
struct LatestStarts {
  std::vector<double> start;
  double makespan = 0;
};
LatestStarts ComputeLatestStarts(const StepGraph& graph);

}  // namespace plumb::fast
