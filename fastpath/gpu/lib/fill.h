// Memory of the device filled with one value.
#pragma once

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// Queues out[i] = value for all i; the value is a single element in the device's memory.
void FillFrom(GpuContext& context, const Tensor& value, Tensor& out);
// The same for a value on the host.
void FillWith(GpuContext& context, const Tensor& value, Tensor& out);

}  // namespace plumb::fast::GPU_NAMESPACE
