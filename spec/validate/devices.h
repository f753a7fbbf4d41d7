// Checks of device requests (rules G10, W1).
#pragma once

#include "spec/graph/graph.h"

namespace plumb {

// Every node's device is a well-formed partial device name.
void CheckDevices(const Graph& graph);

}  // namespace plumb
