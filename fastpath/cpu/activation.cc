#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuActivationKernels() { return {}; }

}  // namespace plumb::fast
