// Pass: makes one node of those nodes of a device that always run together, where the device takes such sections
// (fastpath/device/section.h).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// Of each node of a partitioned step the number of its section; -1: it is in none. A section's nodes fire in every step,
// and nothing outside waits for one of them that another of them waits for, by whatever way: over other devices, too.
std::vector<int> FindSections(const StepGraph& graph, const DeviceSet& devices);

// Puts a node in the place of each section of at least two kernels. No NextIteration is in the root frame.
void GatherSections(StepGraph& graph, const DeviceSet& devices,
                    const std::function<std::shared_ptr<Kernel>(const Node&, Device&)>& kernels);

}  // namespace plumb::fast
