// Sparse tensors: what the inputs of ops on them must be, and the sizes that they say. What does not fit is
// kInvalidArgument; coordinates are left to devices.
#pragma once

#include <string_view>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb::fast {

// Coordinates [count, rank].
struct SparseSizes {
  int64_t count = 0;
  int rank = 0;
};
SparseSizes SparseSizesOf(const Shape& indices);
// With values [count] and a shape [rank].
SparseSizes SparseSizesOf(const Shape& indices, const Shape& values, const Shape& dense_shape);
// The values of a shape vector on the host, which are at most as many as a shape may have. No size is looked at.
std::vector<int64_t> ListedSizes(const Tensor& shape, std::string_view what = "shape");

// SparseToDense: the coordinates, which may be a number or a vector, and the shape of the result.
struct DenseSizes {
  SparseSizes coordinates;
  Shape shape;
};
DenseSizes DenseSizesOf(const Shape& indices, const Tensor& output_shape, const Shape& values,
                        const Shape& default_value);

// SparseFillEmptyRows: how many rows there are.
int64_t FilledRows(const SparseSizes& sizes, const Shape& values, const Tensor& dense_shape,
                   const Shape& default_value);

// SparseReshape: new_shape with the one size that may be -1, for a tensor of so many elements.
std::vector<int64_t> ReshapedSizes(std::vector<int64_t> new_shape, int64_t elements);

// SparseSlice: the part of the box from `start` on that lies within the shape.
std::vector<int64_t> SlicedSizes(const Shape& shape, const std::vector<int64_t>& start,
                                 const std::vector<int64_t>& size);

// SparseConcat: where each of the parts, of which there is one at least, begins along the axis, and all sizes.
// kInternal for parts with a negative size or with too many elements.
struct JoinedSizes {
  int axis = 0;
  std::vector<int64_t> offsets, sizes;
};
JoinedSizes JoinedSizesOf(const std::vector<std::vector<int64_t>>& parts, int64_t concat_dim);

// SparseSplit: the first `longer` pieces have one more than `least` along the axis.
struct SplitSizes {
  int axis = 0;
  int64_t pieces = 1, least = 0, longer = 0;
  int64_t Begin(int64_t piece) const { return piece * least + (piece < longer ? piece : longer); }
  int64_t Size(int64_t piece) const { return least + (piece < longer ? 1 : 0); }
};
SplitSizes SplitSizesOf(const Tensor& split_dim, const Shape& shape, int64_t pieces);

}  // namespace plumb::fast
