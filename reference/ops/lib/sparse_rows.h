// Sparse tensors as the rows of one.
#pragma once

#include <vector>

#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {

// The elements [begin, end) without their first coordinate.
SparseTensor RowOf(const SparseTensor& tensor, int64_t begin, int64_t end);

// One sparse tensor, with the dimensions of `outer` before the largest of each dimension of the rows. There is one row
// at least, all are of one type; kInvalidArgument where they differ in rank.
SparseTensor StackedRows(const Shape& outer, DType dtype, const std::vector<SparseTensor>& rows);

}  // namespace plumb::reference
