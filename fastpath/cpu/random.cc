#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuRandomKernels() { return {}; }

}  // namespace plumb::fast
