#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes SparseFillEmptyRowsShapes(const ShapeContext& c) {
  const int64_t rank = SparseRank(c, 0, 1, 2);
  Require(rank != 0, c.op().name, ": ", InputName(c, 2), " must not be empty");
  RequireScalar(c, 3);
  const int64_t count = MergeDims(c, WithRank(c, 0, 2).dim(0), WithRank(c, 1, 1).dim(0));
  const PartialShape dense = ConstantShape(c, 2);
  return {PartialShape{-1, rank}, PartialShape{-1}, PartialShape{dense.has_rank() ? dense.dim(0) : -1},
          PartialShape{count}};
}

Values SparseFillEmptyRowsGradient(Gradient& g) {
  const NodeId gradient = g.Add("SparseFillEmptyRowsGrad", {g.y(3), g.dy(1)});
  return {GradientValue::None(), Endpoint{gradient, 0}, GradientValue::None(), Endpoint{gradient, 1}};
}

}  // namespace

std::span<const OpRow> SparseFillEmptyRows() {
  static const OpRow rows[] = {
      {.signature =
           "SparseFillEmptyRows(indices: int64, values: T, dense_shape: int64, default_value: T) -> "
           "(output_indices: int64, output_values: T, empty_row_indicator: bool, reverse_index_map: int64) hands_on",
       .attrs = "T: type",
       .doc =
           "The elements in the order of their rows (first coordinates), with default_value at the start of each row "
           "that has none; which rows these are; and where each element went. Rows outside of the shape are an "
           "error.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [numbers, bool]",
       .shape_fn = SparseFillEmptyRowsShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = SparseFillEmptyRowsGradient,
       .samples = {"[n 2] in 0..5 [n] {5, 6} []", "[5 2] sorted in 0..7 [5] {8, 7} []",
                   "{{0, 3}, {1, 0}, {1, 2}} [3] {2, 4} []", "[0 1] in 0..1 [0] {3} []",
                   "[0 3] in 0..1 [0] {0, 2, "
                   "2} []"}},
      {.signature = "SparseFillEmptyRowsGrad(reverse_index_map: int64, grad_values: T) -> (d_values: T, "
                    "d_default_value: T)",
       .attrs = "T: type",
       .doc = "The gradients of SparseFillEmptyRows: for each value that of its place, and for the default the sum of "
              "all others.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, ints]",
       .shape = "[n] [m] -> [n] []",
       .accuracy = Summation(),
       .samples = {"{3, 0, 2} [5]", "[n] in 0..M [M]", "{1, 1} [2]"}},
  };
  return rows;
}

}  // namespace plumb::topics
