// What placement and the scheduling of receives assume that work costs, before anything has been measured.
#pragma once

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

// In microseconds of one core.
double EstimatedCost(const StepNode& node);
// Of sending one tensor from one device to another. CPU devices share memory, so it is the hand-off that costs.
constexpr double kTransferCost = 10;

}  // namespace plumb::fast
