// Numbers of which every partial sum of products is representable, so that all orders of summation give the same bits.
#pragma once

#include "spec/core/tensor.h"

namespace plumb::conformance {

// Whether all numbers are whole.
bool OnLattice(const Tensor& tensor);

// float32 and float64: towards zero to whole numbers of at most 8 in size. Others as they are.
Tensor SnappedToLattice(const Tensor& tensor);

}  // namespace plumb::conformance
