#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuOptimizerKernels() { return {}; }

}  // namespace plumb::fast
