#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes SparseBincountShapes(const ShapeContext& c) {
  RequireScalar(c, 3);
  const int64_t size = ConstantSize(c, 3);
  const PartialShape shape = ConstantShape(c, 2);
  if (!shape.has_rank()) return {PartialShape::Unknown()};
  Require(shape.rank() == 1 || shape.rank() == 2, c.op().name,
          ": the values must be a vector or a matrix, not of shape ", shape.ToString());
  return {shape.rank() == 1 ? PartialShape{size} : PartialShape{shape.dim(0), size}};
}

Shapes RaggedBincountShapes(const ShapeContext& c) {
  WithRank(c, 0, 1);
  RequireScalar(c, 2);
  return {PartialShape{-1, ConstantSize(c, 2)}};
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
