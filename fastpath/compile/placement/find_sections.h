// Analysis: which nodes of a device always run together, where the device takes such sections
// (fastpath/device/section.h).
#pragma once

#include <map>
#include <vector>

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// The members of each section, in an order in which they can run.
using Sections = std::vector<std::vector<NodeId>>;

// The Send of each Recv, of a partitioned step; none for what comes from elsewhere.
std::map<NodeId, NodeId> SendsByRecvs(const StepGraph& graph);

// Of a partitioned step. A section's nodes fire in every step, and nothing outside waits for one of them that another
// of them waits for, by whatever way: over other devices, too. What the host computes beside the device is in one, if
// it follows from shapes and constants; and so are the Send and the Recv that bring it to the device.
Sections FindSections(const StepGraph& graph, const DeviceSet& devices);

}  // namespace plumb::fast
