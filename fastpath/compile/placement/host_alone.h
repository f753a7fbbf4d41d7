// Analysis: what the host alone computes in the plan of a device with memory of its own.
#pragma once

#include <vector>

#include "fastpath/compile/placement/memory_kinds.h"

namespace plumb::fast {

// By node: whether what it gives is there without any of its device's work, which nothing that goes before it, by data
// or by control, is. A node whose device has no other memory than the host's is none.
std::vector<bool> FindHostAlone(const StepGraph& graph, const DeviceSet& devices, const MemoryKinds& memory);

}  // namespace plumb::fast
