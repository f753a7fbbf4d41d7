#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes CountsOfRank(int64_t rank) { return {PartialShape{-1, rank}, PartialShape{-1}, PartialShape{rank}}; }

// Weights are as many as values, or none.
Shapes DenseCountShapes(const ShapeContext& c) {
  const PartialShape &values = c.input(0), &weights = c.input(1);
  const bool has_none = weights.IsFullyDefined() && weights.ToShape().elements() == 0;
  return CountsOfRank(has_none ? values.rank() : MergeShapes(c, weights, values).rank());
}

// The result is a vector or a matrix.
Shapes SparseCountShapes(const ShapeContext& c) {
  const int64_t rank = WithRank(c, 0, 2).dim(1);
  return CountsOfRank(rank > 2 ? -1 : rank);
}

}  // namespace

std::span<const OpRow> SparseCount() {
  static const OpRow rows[] = {
      {.signature = "DenseCountSparseOutput(values: T, weights: output_type) -> (output_indices: int64, output_values: "
                    "output_type, output_dense_shape: int64)",
       .attrs = "T: type in [int32, int64]; minlength: int = -1 >= -1; maxlength: int = -1 >= -1; binary_output: bool; "
                "output_type: type in [int32, int64, float32, float64]",
       .doc =
           "For each number how often it occurs in the values, or in each of their rows, as a sparse tensor: the sum "
           "of its weights, which are ones if there are none; with binary_output, ones. Negative numbers are an "
           "error. If maxlength is not negative, numbers from it on are skipped, and there are as many columns as it "
           "says; else as many as are needed, but minlength and one at least.",
       .shape_fn = DenseCountShapes,
       .accuracy = Summation(),
       .samples = {"minlength=-1/3/20 maxlength=-1/0/4 binary_output=false/true: [n] in 0..9 [n]",
                   "minlength=-1/3 maxlength=-1/4 binary_output=false/true: [A b] in 0..9 [0] finite",
                   "binary_output=false: [A b] in 0..5 [A b]"}},
      {.signature = "SparseCountSparseOutput(indices: int64, values: T, dense_shape: int64, weights: output_type) -> "
                    "(output_indices: int64, output_values: output_type, output_dense_shape: int64)",
       .attrs = "T: type in [int32, int64]; minlength: int = -1 >= -1; maxlength: int = -1 >= -1; binary_output: bool; "
                "output_type: type in [int32, int64, float32, float64]",
       .doc = "As DenseCountSparseOutput, for the elements of a sparse tensor.",
       .shape_fn = SparseCountShapes,
       .accuracy = Summation(),
       .samples = {"minlength=-1/3/20 maxlength=-1/0/4 binary_output=false/true: [n 2] in 0..4 [n] in 0..9 {4, 5} [n]",
                   "binary_output=false/true: [n 1] in 0..9 [n] in 0..5 {9} [0] finite",
                   "binary_output=false/true: [0 2] [0] {4, 0} [0]"}},
  };
  return rows;
}

}  // namespace plumb::topics
