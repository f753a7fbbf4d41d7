// A few numbers of the host that are brought to the device as the arguments of kernels: nothing waits for them, and a
// graph has them in itself.
#pragma once

#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr size_t kMostNumberBytes = 4096;  // more are better copied

// Queues the copy of a value of the host into memory of the device of the same size.
void PutNumbers(GpuDevice& device, const Tensor& numbers, Tensor& here);

}  // namespace plumb::fast::GPU_NAMESPACE
