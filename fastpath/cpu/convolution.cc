#include "fastpath/device/kernel.h"

namespace plumb::fast {

std::span<const KernelRow> CpuConvolutionKernels() { return {}; }

}  // namespace plumb::fast
