#include "reference/op_context.h"

namespace plumb::reference {

std::span<const KernelRow> ConvolutionKernels() { return {}; }

}  // namespace plumb::reference
