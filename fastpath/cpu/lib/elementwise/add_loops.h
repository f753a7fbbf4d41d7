// Sums and differences of two operands, where a kernel needs them as a part.
#pragma once

#include "fastpath/cpu/lib/elementwise/elementwise.h"

namespace plumb::fast::cpu {

// For every number type but the 16-bit ones, which pass through float; null for others.
BinaryLoop AddLoop(DType type);
BinaryLoop SubtractLoop(DType type);

}  // namespace plumb::fast::cpu
