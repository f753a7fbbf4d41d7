// Numbers added to numbers that are there.
#pragma once

#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::GPU_NAMESPACE {

// Queues sum[i] += more[i], of two tensors of the device's memory of one type and size. Throws kInternal for a type
// that is no number of those that GPUs add.
void QueueSum(GpuDevice& device, Tensor& sum, const Tensor& more);

}  // namespace plumb::fast::GPU_NAMESPACE
