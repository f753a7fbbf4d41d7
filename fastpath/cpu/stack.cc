#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuStackKernels() { return {}; }

}  // namespace plumb::fast
