// Pass: cuts the edges that leave a device (rules W20–W26), and the step into partitions.
#pragma once

#include <vector>

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// How numbers of type float32 travel from task to task (white paper, section 5.5; OSDI 2016, section 4.2).
enum class Wire {
  kExact,      // as they are
  kTruncated,  // as bfloat16: the lower half of the mantissa is cut off, and comes back as zeros
  kRounded,    // as bfloat16, rounded to the nearest
};

// Devices are set. Between devices that share a plan a Send is followed by its Recv; all others meet at the rendezvous,
// and so do the two where a value of a device is wanted in the host's memory or the other way round. Constants that
// wait for nothing are not sent: each device has its own. Whatever `wire` says, what is fetched arrives as it is.
void Partition(StepGraph& graph, const DeviceSet& devices, Wire wire = Wire::kExact);

// The partitions, one for each plan, the host's first; one that has no nodes is left out, except for the host's.
std::vector<StepGraph> SplitPlans(StepGraph graph, const DeviceSet& devices);

// Brings the constants of accelerators into their memory.
void UploadConstants(StepGraph& graph, const DeviceSet& devices);

}  // namespace plumb::fast
