#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuMatrixKernels() { return {}; }

}  // namespace plumb::fast
