// Which device requests can be met. The reference runs everything in one place, but refuses what no placement meets.
#pragma once

#include "spec/graph/graph.h"
#include "spec/session/session.h"

namespace plumb::reference {

// W13, W15: every node's request is met by one of the session's CPU devices; with soft placement, its job and task are.
// A node that works on another node's reference or resource goes where that one is, whatever it asks for (W11, W12).
// Throws kInvalidArgument naming the node.
void CheckPlacement(const Graph& graph, const SessionOptions& options);

}  // namespace plumb::reference
