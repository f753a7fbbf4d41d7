// An input that is changed in place where nobody else holds it.
#pragma once

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// The input as the output: its own memory if this kernel is its last user, else a copy, which is queued.
Tensor OwnedCopy(GpuContext& context, int input, int output);

}  // namespace plumb::fast::GPU_NAMESPACE
