// Which device requests can be met. The reference runs everything in one place, but refuses what no placement meets.
#pragma once

#include <span>

#include "reference/step/prune.h"
#include "spec/core/device_name.h"
#include "spec/graph/graph.h"
#include "spec/session/session.h"

namespace plumb::reference {

// How many devices a session has, and the number of the one that a request names: CPUs first, then simulated
// accelerators, then GPUs. 0, the first CPU, where it names none of them.
int CountDevices(const SessionOptions& options);
int NumberOfDevice(const DeviceName& request, const SessionOptions& options);

// W13, W15: every node's request is met by one of the session's devices; with soft placement, its job and task are.
// A node that works on another node's reference or resource goes where that one is, whatever it asks for (W11, W12).
// Throws kInvalidArgument naming the node.
void CheckPlacement(const Graph& graph, const SessionOptions& options);

// FN5: the device that a call names is one of the session's. Throws kInvalidArgument naming the call.
void CheckTarget(const Node& call, const Tensor& target, const SessionOptions& options);

// R1, W10: gives every node that makes, takes or hands on a reference or a handle the full name of the device that its
// group lies on, except calls. `before`: the graph that this one extends, whose nodes stay where they are, or null.
// Throws kInvalidArgument where a group can be nowhere (W11–W13): accelerators hold no resources.
void PlaceResources(Graph& graph, const Graph* before, const SessionOptions& options);
// The same in the body of a function: who makes a resource is where it asks to be, who takes one from there is there
// too, and who is given one, by an argument or a call, goes where that is.
void PlaceResourcesOfBody(Graph& body, std::span<const NodeId> args, const SessionOptions& options);

// W26: a loop whose parts are asked to lie on several devices has a predicate, and so has every loop around it. Throws
// kInvalidArgument naming the frame.
void CheckLoopDevices(const StepGraph& step, const SessionOptions& options);

// R36: marks the inputs that come from another device than the node's own. A node that asks for none is where its first
// input is.
void MarkCopiedInputs(StepGraph& step, const SessionOptions& options);

}  // namespace plumb::reference
