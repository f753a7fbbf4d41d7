#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuReductionKernels() { return {}; }

}  // namespace plumb::fast
