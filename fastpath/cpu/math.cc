#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuMathKernels() { return {}; }

}  // namespace plumb::fast
