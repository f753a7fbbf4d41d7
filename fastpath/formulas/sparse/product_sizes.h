// A sparse matrix times a dense one: what the inputs of SparseTensorDenseMatMul must be, and the sizes that they say.
#pragma once

#include "spec/core/tensor.h"

namespace plumb::fast {

struct ProductSizes {
  int64_t rows = 0, inner = 0, width = 0;
};

// `a_shape` lies on the host. kInvalidArgument where the inputs do not fit; the indices are left to devices.
ProductSizes ProductSizesOf(const Shape& a_indices, const Shape& a_values, const Tensor& a_shape, const Shape& b,
                            bool adjoint_a, bool adjoint_b);

}  // namespace plumb::fast
