// Pass: gives each node a device (rules W10–W15), and the machinery of loops where its values are (rule W20).
#pragma once

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// Sets the graph's device names, and StepNode::device for each node. Throws kInvalidArgument where TensorFlow's placer
// does. Where nobody asks, a node goes to a device only if that changes nothing but time: what may be an alias of a
// variable's buffer stays with the variable (rules R31, R36).
// `prefers_host`: what does not ask for an accelerator stays on the first of the host's devices that may have it.
void Place(StepGraph& graph, const DeviceSet& devices, bool allow_soft_placement, bool prefers_host = false);

// Takes the job and the task out of what nodes ask for, where no device is of these.
void KeepTask(StepGraph& graph, const DeviceSet& devices);

// Throws kInvalidArgument where a node of the graph, needed or not, asks for a device that is not there (W13, W15).
// Place does not see those that were pruned or folded.
void CheckDeviceRequests(const Graph& graph, const DeviceSet& devices, bool allow_soft_placement);

}  // namespace plumb::fast
