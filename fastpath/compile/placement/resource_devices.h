// Where variables and other resources lie: the device of the node that makes the reference or the handle (rule R1).
// Their nodes are told apart from others by it, so it is settled once, for the whole graph (rule W10), and written into
// the nodes as what they ask for. Devices with memory of their own hold no resources.
#pragma once

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// Gives every node that makes, takes or hands on a reference or a handle the full name of its group's device, except
// calls. `before`: the graph that this one extends, whose nodes stay where they are, or null. Throws kInvalidArgument
// where a group can be nowhere (rules W11–W13).
void PlaceResources(Graph& graph, const Graph* before, const DeviceSet& devices, bool soft);

// The same for nodes of bodies of functions, when calls have been replaced by them: makers go where they ask to,
// whoever is given a reference or a handle goes where that is from.
void PlaceResourcesOfBodies(StepGraph& graph, const DeviceSet& devices);

}  // namespace plumb::fast
