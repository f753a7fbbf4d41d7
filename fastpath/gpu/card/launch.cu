#include "fastpath/gpu/runtime/cuda_driver.h"
#include "gpu_language.h"

namespace plumb::fast::cuda_gpu {

void CheckLaunch() { Check(cudaGetLastError(), "to launch a kernel"); }

}  // namespace plumb::fast::cuda_gpu
