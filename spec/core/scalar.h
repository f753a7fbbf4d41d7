// Numbers as tensors of any number type.
#pragma once

#include "spec/core/tensor.h"

namespace plumb {

// A scalar of `dtype`, which must be a number type: else kInvalidArgument.
Tensor ScalarTensor(double value, DType dtype);

}  // namespace plumb
