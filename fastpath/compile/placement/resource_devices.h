// Where variables and other resources lie: settled once, for the whole graph (rule W10), and written into the nodes
// that make, take or hand on references and handles.
//
// A resource is known by a device of the host (rules R1, W13): that of its maker. Its values are held, and its users
// run, there or on an accelerator that has kernels for all of them, if that is asked for, or if nobody asks and it
// changes nothing but time (rules R31, R36).
#pragma once

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// Gives every node that makes, takes or hands on a reference or a handle the full name of its group's device, and the
// attribute kHolder where that is not where it runs. Calls are left out. `before`: the graph that this one extends,
// whose nodes stay where they are, or null; what an accelerator held goes to the host if what is new would see the
// difference. Throws kInvalidArgument where a group can be nowhere (rules W11–W13).
void PlaceResources(Graph& graph, const Graph* before, const DeviceSet& devices, bool soft);

// The same for nodes of bodies of functions, when calls have been replaced by them: makers go where they ask to,
// whoever is given a reference or a handle goes where that is from.
void PlaceResourcesOfBodies(StepGraph& graph, const DeviceSet& devices);

}  // namespace plumb::fast
