// For tests whose devices begin anew.
#pragma once

#include <cuda_runtime.h>

namespace plumb::fast::GPU_NAMESPACE {

// Who asks for CudaDriver() from now on gets a new one: to the pools of the old one the new devices would be those of
// before. It lives as long as the sessions that have it.
void ForgetCudaDriver();

}  // namespace plumb::fast::GPU_NAMESPACE
