// Sums over any axes of a tensor, of every type that GPUs add up.
#pragma once

#include <vector>

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// Queues the sums over the axes of x that are folded, one for each place along the others, into `sums`. Both are of one
// type: floats, which are rounded once, complex numbers, or signed integers of 16 bits or more, which wrap.
void QueueAxisSums(GpuContext& context, const Tensor& x, std::vector<bool> is_folded, Tensor& sums);

}  // namespace plumb::fast::GPU_NAMESPACE
