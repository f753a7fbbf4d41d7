// Kernels that move references about, and the look-up that knows them as well as the CPU's.
#pragma once

#include "fastpath/device/kernel.h"

namespace plumb::fast {

// The factory of an op's kernel, or null.
KernelFactory FindKernel(std::string_view op);

}  // namespace plumb::fast
