// Which device requests can be met. The reference runs everything in one place, but refuses what no placement meets.
#pragma once

#include "reference/step/prune.h"
#include "spec/graph/graph.h"
#include "spec/session/session.h"

namespace plumb::reference {

// W13, W15: every node's request is met by one of the session's devices; with soft placement, its job and task are.
// A node that works on another node's reference or resource goes where that one is, whatever it asks for (W11, W12).
// Throws kInvalidArgument naming the node.
void CheckPlacement(const Graph& graph, const SessionOptions& options);

// W26: a loop whose parts are asked to lie on several devices has a predicate, and so has every loop around it. Throws
// kInvalidArgument naming the frame.
void CheckLoopDevices(const StepGraph& step, const SessionOptions& options);

// R36: marks the inputs that come from another device than the node's own. A node that asks for none is where its first
// input is.
void MarkCopiedInputs(StepGraph& step, const SessionOptions& options);

}  // namespace plumb::reference
