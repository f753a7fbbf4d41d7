// Pass: a Recv whose value is wanted late waits until the work before it is done (rule W35). Ordering only.
#pragma once

#include <functional>

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

// `may_wait`: of a node with a kernel, whether that may wait for what others do, as one that takes from a queue does.
// Nothing is held back for it: what it waits for may hang on the very value that would be.
void ScheduleReceives(StepGraph& graph, const std::function<bool(const StepNode& node)>& may_wait);

// The latest time at which each node may start without making the step longer, and the step's length (W35's ALAP).
struct LatestStarts {
  std::vector<double> start;
  double makespan = 0;
};
LatestStarts ComputeLatestStarts(const StepGraph& graph);

}  // namespace plumb::fast
