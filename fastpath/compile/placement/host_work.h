// Pass: has the host compute beside an accelerator what starts and ends on the host (fastpath/device/host_values.h).
#pragma once

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// Devices are set. Marks those nodes of small integers (kStaysOnHost) whose inputs all lie on the host and whose result
// others of their device want there, though it has a kernel: both would be copied, and somebody would wait. What leaves
// the device is computed there.
void KeepWorkOnHost(StepGraph& graph, const DeviceSet& devices);

}  // namespace plumb::fast
