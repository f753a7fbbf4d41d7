// The two halves of the family of per-step objects.
#pragma once

#include <span>

#include "reference/op_context.h"

namespace plumb::reference {

std::span<const KernelRow> PushdownKernels();     // Stack…
std::span<const KernelRow> TensorArrayKernels();  // TensorArray…

}  // namespace plumb::reference
