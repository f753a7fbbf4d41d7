#include "reference/op_context.h"

namespace plumb::reference {

std::span<const KernelRow> StateKernels() { return {}; }

}  // namespace plumb::reference
