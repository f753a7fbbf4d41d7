#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuNormalizationKernels() { return {}; }

}  // namespace plumb::fast
