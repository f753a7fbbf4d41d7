// Checks of device requests (rules G10, W1), and of the names that messages have (W30).
#pragma once

#include "spec/graph/graph.h"

namespace plumb {

// Every node's device is a well-formed partial device name.
void CheckDevices(const Graph& graph);

// For whoever is about to run a Send or a Recv: both its devices are well-formed, perhaps partial device names, and the
// tensor has a name without ';'. Throws kInvalidArgument naming the node.
void CheckMessageName(const Node& node);

}  // namespace plumb
