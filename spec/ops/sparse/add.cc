#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes SparseAddShapes(const ShapeContext& c) {
  const int64_t rank = WithRank(c, 2, 1).dim(0);
  return {PartialShape{-1, rank}, PartialShape{-1}, PartialShape{rank}};
}

Shapes SparseAddGradShapes(const ShapeContext& c) {
  return {PartialShape{WithRank(c, 1, 2).dim(0)}, PartialShape{WithRank(c, 2, 2).dim(0)}};
}

Shapes SparseTensorDenseAddShapes(const ShapeContext& c) { return {c.input(3)}; }

Values SparseAddGradient(Gradient& g) {
  const NodeId gradient = g.Add("SparseAddGrad", {g.dy(1), g.x(0), g.x(3), g.y(0)});
  Values values(7);
  values[1] = Endpoint{gradient, 0};
  values[4] = Endpoint{gradient, 1};
  return values;
}

Values SparseTensorDenseAddGradient(Gradient& g) {
  return {GradientValue::None(), g.Call("GatherNd", {g.dy(), g.x(0)}), GradientValue::None(), g.dy()};
}

}  // namespace

std::span<const OpRow> SparseAdd() {
  static const OpRow rows[] = {
      {.signature = "SparseAdd(a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: "
                    "int64, thresh: Treal) -> (sum_indices: int64, sum_values: T, sum_shape: int64)",
       .attrs = "T: type in [numbers, quantized]; Treal: type in [floats, ints]",
       .doc = "The sum of two sparse tensors of one shape, whose elements are in row-major order. Where both have an "
              "element, the sum stays if its magnitude is not below thresh.",
       .cpu = "T in [float32, float64, int8, int16, int32, int64, complexes]",
       .shape_fn = SparseAddShapes,
       .gradient = SparseAddGradient,
       .samples = {"[7 2] sorted in 0..5 [7] in -5..6 {5, 6} [9 2] sorted in 0..5 [9] in -5..6 {5, 6} 0",
                   "T in [int8, int16, int32, int64]: [6 1] sorted in 0..9 [6] in -5..6 {9} [7 1] sorted in 0..9 [7] "
                   "in -5..6 {9} 3",
                   "[0 2] in 0..1 [0] in 0..1 {5, 6} [2 2] sorted in 0..5 [2] in 0..4 {5, 6} 0"}},
      {.signature = "SparseAddGrad(backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64) -> "
                    "(a_val_grad: T, b_val_grad: T)",
       .attrs = "T: type in [numbers, quantized]",
       .doc =
           "The gradients of SparseAdd: for each element of a and of b that of the sum at its coordinates, zero where "
           "the sum has none.",
       .cpu = "T in [float32, float64, int8, int16, int32, int64, complexes]",
       .shape_fn = SparseAddGradShapes,
       .gradient = BlocksGradient(),
       .samples = {"[3] {{0, 1}, {2, 0}} {{0, 1}, {1, 1}, {1, 3}} {{0, 1}, {1, 3}, {2, 0}}",
                   "[6] [4 1] sorted in 0..6 [3 1] sorted in 0..6 {{0}, {1}, {2}, {3}, {4}, {5}}"}},
      {.signature = "SparseTensorDenseAdd(a_indices: Tindices, a_values: T, a_shape: Tindices, b: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "The sum of a sparse and a dense tensor of one shape, of 1 to 5 dimensions. Elements at the same "
              "coordinates are all added; coordinates outside of the shape are an error.",
       .cpu = "T in [numbers]",
       .shape_fn = SparseTensorDenseAddShapes,
       .accuracy = Summation(),
       .gradient = SparseTensorDenseAddGradient,
       .samples = {"[n 2] in 0..3 [n] {3, 4} [3 4]", "[n 1] in 0..9 [n] {9} [9]",
                   "[n 3] in 0..2 [n] {2, 2, 5} [2 2 5]"}},
  };
  return rows;
}

}  // namespace plumb::topics
