#include "reference/op_context.h"

namespace plumb::reference {

std::span<const KernelRow> LossKernels() { return {}; }

}  // namespace plumb::reference
