#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuArrayKernels() { return {}; }

}  // namespace plumb::fast
