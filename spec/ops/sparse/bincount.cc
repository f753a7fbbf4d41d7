#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// How many dimensions the sparse tensor has; -1 where that is unknown.
int64_t KnownRank(const ShapeContext& c, int i) {
  if (const auto dims = ConstantInts(c, i)) return std::ssize(*dims);
  const PartialShape& shape = c.input(i);
  return shape.rank() == 1 ? shape.dim(0) : -1;
}

// The shape is looked at where both it and the size are known.
Shapes SparseBincountShapes(const ShapeContext& c) {
  const int64_t size = c.constant(3) == nullptr ? -1 : ConstantSize(c, 3);
  const auto dims = ConstantInts(c, 2);
  const int64_t rank = KnownRank(c, 2);
  Require(size < 0 || !dims || rank == 1 || rank == 2, c.op().name,
          ": the values must be a vector or a matrix, not of rank ", rank);
  if (rank == 1) return {PartialShape{size}};
  if (rank == 2) return {PartialShape{dims ? std::max<int64_t>(-1, dims->front()) : -1, size}};
  return {PartialShape::Unknown()};
}

// Whether the inputs fit is the kernel's affair.
Shapes RaggedBincountShapes(const ShapeContext& c) {
  const auto sizes = ConstantInts(c, 2);
  return {PartialShape{-1, sizes && sizes->size() == 1 ? std::max<int64_t>(-1, sizes->front()) : -1}};
}

}  // namespace

std::span<const OpRow> SparseBincount() {
  static const OpRow rows[] = {
      {.signature = "SparseBincount(indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: T) -> "
                    "(output: T)",
       .attrs =
           "Tidx: type in [int32, int64]; T: type in [int32, int64, float32, float64]; binary_output: bool = false",
       .doc = "As DenseBincount, for the elements of a sparse tensor, row by row unless it is a vector. In rows, "
              "numbers that are too large are an error.",
       .shape_fn = SparseBincountShapes,
       .accuracy = Summation(),
       .samples = {"[n 1] in 0..9 [n] in 0..9 {9} 7 [n]", "[n 2] in 0..4 [n] in 0..5 {4, 4} 5 [n]",
                   "binary_output=true/false: [n 2] in 0..4 [n] in 0..5 {4, 4} 5 [0] finite"}},
      {.signature = "RaggedBincount(splits: int64, values: Tidx, size: Tidx, weights: T) -> (output: T)",
       .attrs =
           "Tidx: type in [int32, int64]; T: type in [int32, int64, float32, float64]; binary_output: bool = false",
       .doc = "As DenseBincount, for rows of different lengths: row i has the values from splits[i] up to splits[i + "
              "1].",
       .shape_fn = RaggedBincountShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .samples = {"{0, 2, 2, 6} [6] in 0..5 4 [6]", "binary_output=true/false: {0, 2, 2, 6} [6] in 0..5 4 [0] finite",
                   "{0} [0] in 0..1 3 [0] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
