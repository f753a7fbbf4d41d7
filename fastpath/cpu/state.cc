#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuStateKernels() { return {}; }

}  // namespace plumb::fast
