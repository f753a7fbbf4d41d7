// Numbers that kernels find on the device and the host has to know before it goes on: how large a result is.
#pragma once

#include <vector>

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// The elements of a tensor of int32 or int64 in the device's memory. Waits until all that was queued is done. Throws
// what a kernel of the step has refused so far: the numbers may be worth nothing then.
std::vector<int64_t> BringNumbers(GpuContext& context, const Tensor& numbers);

}  // namespace plumb::fast::GPU_NAMESPACE
