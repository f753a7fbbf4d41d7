#include <limits>

#include "fastpath/gpu/runtime/cuda_driver.h"
#include "gpu_language.h"

namespace plumb::fast::cuda_gpu {

void CheckLaunch() { Check(cudaGetLastError(), "to launch a kernel"); }

void CheckBlocks(int64_t blocks) {
  if (blocks <= std::numeric_limits<int32_t>::max()) return;
  throw Error(Code::kUnimplemented, Str("a GPU takes 2^31 - 1 blocks at once, and this work is for ", blocks));
}

}  // namespace plumb::fast::cuda_gpu
