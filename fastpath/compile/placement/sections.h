// Pass: makes one node of those nodes of a device that always run together (find_sections.h).
#pragma once

#include <functional>
#include <memory>

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// Puts a node in the place of each section of at least two kernels of the device. No NextIteration is in the root
// frame.
void GatherSections(StepGraph& graph, const DeviceSet& devices,
                    const std::function<std::shared_ptr<Kernel>(const Node&, Device&)>& kernels);

}  // namespace plumb::fast
