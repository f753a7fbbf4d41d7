// Pass: gives each node a device (rules W10–W15, W20's pre-step).
#pragma once

#include "fastpath/compile/step_graph.h"

namespace plumb::fast {

// Sets StepNode::device, an index into graph.device_names. Throws kInvalidArgument where TensorFlow's placer does.
void Place(StepGraph& graph, bool allow_soft_placement);

// Throws kInvalidArgument where a node of the graph, needed or not, asks for a device that is not there (W13, W15).
// Place does not see those that were pruned or folded.
void CheckDeviceRequests(const Graph& graph, const std::vector<std::string>& device_names, bool allow_soft_placement);

// The names of `count` CPU devices of this process.
std::vector<std::string> CpuDeviceNames(int count);

}  // namespace plumb::fast
