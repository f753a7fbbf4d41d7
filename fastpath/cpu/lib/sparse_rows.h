// Sparse tensors as the rows of one.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/sparse_tensor.h"

namespace plumb::fast::cpu {

struct SparsePart {
  Tensor indices, values;
  Dims dims;
};

// Its parts fit each other, and the values are of this type; `i` is its number, for messages.
void CheckPart(const SparsePart& part, DType type, size_t i);

// The elements [begin, end) without their first coordinate.
SparsePart RowOf(const SparseView& view, int64_t begin, int64_t end);

// Outputs 0, 1 and 2: one tensor, with the dimensions `outer` before the largest of each dimension of the parts, of
// which there is one at least. kInvalidArgument where they differ in rank.
void OutputRows(KernelContext& context, Dims outer, DType type, const std::vector<SparsePart>& parts);

}  // namespace plumb::fast::cpu
