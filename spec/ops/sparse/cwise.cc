#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes SparseDenseShapes(const ShapeContext& c) { return {PartialShape{WithRank(c, 0, 2).dim(0)}}; }
Shapes SparseSparseShapes(const ShapeContext& c) {
  for (const int first : {0, 3}) {
    WithRank(c, first, 2);
    WithRank(c, first + 1, 1);
    WithRank(c, first + 2, 1);
  }
  return {PartialShape{-1, -1}, PartialShape{-1}};
}

// TensorFlow registers a rule that says no.
Values Refused(Gradient& g) {
  throw Unimplemented("the gradient of '", g.op().name, "', an op ", g.op().op->name, ", is not implemented");
}
Values SparseDenseCwiseAddGradient(Gradient& g) { return Refused(g); }
Values SparseSparseMaximumGradient(Gradient& g) { return Refused(g); }
Values SparseSparseMinimumGradient(Gradient& g) { return Refused(g); }

// The dense operand, with one more dimension at the front, so that there is one at least; its shape; and where the
// elements stand in it when it is broadcast to the shape of the sparse one.
struct DenseOperand {
  Endpoint shape, value, at;

  explicit DenseOperand(Gradient& g) {
    shape = Concat(g, {g.Int32s({1}), g.ShapeOf(g.x(3))});
    value = g.Call("Reshape", {g.x(3), shape});
    const Endpoint added = g.Call("Sub", {g.Call("Size", {g.x(2)}), g.Call("Rank", {g.x(3)})});
    const Endpoint begin = g.Call("Pack", {Zero(g), added});
    const Endpoint inner = g.Call("Slice", {g.x(0), begin, g.Int32s({-1, -1})});
    const Endpoint front = g.Call("Slice", {g.x(0), g.Int32s({0, 0}), g.Int32s({-1, 1})});
    const Endpoint all = g.Call("ConcatV2", {front, inner, One(g)}, {{"N", 2}});
    const Endpoint varies = g.Call("NotEqual", {shape, One(g)});
    at = g.Call("Mul", {all, g.Call("Cast", {varies}, {{"DstT", DType::kInt64}})});
  }
  Endpoint Gathered(Gradient& g) const { return g.Call("GatherNd", {value, at}); }
  // Of each element of the dense operand: what the elements that took it get, added up.
  Values WithSums(Gradient& g, Endpoint of_values, Endpoint of_dense) const {
    const Endpoint size = g.Call("Cast", {shape}, {{"DstT", DType::kInt64}});
    const Endpoint sums = g.Call("ScatterNd", {at, of_dense, size});
    return {GradientValue::None(), of_values, GradientValue::None(), g.Call("Reshape", {sums, g.ShapeOf(g.x(3))})};
  }
};

Values SparseDenseCwiseMulGradient(Gradient& g) {
  const DenseOperand dense(g);
  return dense.WithSums(g, g.Call("Mul", {g.dy(), dense.Gathered(g)}), g.Call("Mul", {g.dy(), g.x(1)}));
}

Values SparseDenseCwiseDivGradient(Gradient& g) {
  const DenseOperand dense(g);
  const Endpoint y = dense.Gathered(g);
  const Endpoint slope = g.Call("RealDiv", {g.Call("Neg", {g.x(1)}), g.Call("Mul", {y, y})});
  return dense.WithSums(g, g.Call("RealDiv", {g.dy(), y}), g.Call("Mul", {g.dy(), slope}));
}

std::vector<const char*> DenseSamples() {
  return {"[n 2] in 0..4 [n] {4, 5} [4 5] nonzero", "[n 2] in 0..4 [n] {4, 5} [4 1] nonzero",
          "[n 3] in 0..3 [n] {3, 3, 4} [4] nonzero", "[n 2] in 0..4 [n] {4, 5} [] nonzero",
          "[0 2] in 0..1 [0] {0, 3} [3] nonzero"};
}
std::vector<const char*> SparseSamples() {
  return {"[7 2] sorted in 0..5 [7] {5, 6} [9 2] sorted in 0..5 [9] {5, 6}",
          "[4 1] sorted in 0..9 [4] {9} [5 1] sorted in 0..9 [5] {9}",
          "[0 2] in 0..1 [0] {5, 6} [2 2] sorted in 0..5 [2] {5, 6}"};
}

}  // namespace

std::span<const OpRow> SparseCwise() {
  static const OpRow rows[] = {
      {.signature = "SparseDenseCwiseAdd(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]",
       .doc = "The elements of a sparse tensor of 1 to 5 dimensions, each plus the element of a dense one, broadcast "
              "to its shape, at its coordinates.",
       .cpu = "T in [floats, ints]",
       .shape_fn = SparseDenseShapes,
       .gradient = SparseDenseCwiseAddGradient,
       .gradient_trial = {.untried = "the rule says that there is none"},
       .samples = DenseSamples()},
      {.signature = "SparseDenseCwiseMul(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]",
       .doc = "The elements of a sparse tensor of 1 to 5 dimensions, each times the element of a dense one, broadcast "
              "to its shape, at its coordinates.",
       .cpu = "T in [floats, ints]",
       .shape_fn = SparseDenseShapes,
       .gradient = SparseDenseCwiseMulGradient,
       .samples = DenseSamples()},
      {.signature = "SparseDenseCwiseDiv(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]",
       .doc = "The elements of a sparse tensor of 1 to 5 dimensions, each divided by the element of a dense one, "
              "broadcast to its shape, at its coordinates. Division by zero is an error.",
       .cpu = "T in [floats, ints]",
       .shape_fn = SparseDenseShapes,
       .gradient = SparseDenseCwiseDivGradient,
       .samples = DenseSamples()},
      {.signature = "SparseSparseMaximum(a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, "
                    "b_shape: int64) -> (output_indices: int64, output_values: T<either_zero>)",
       .attrs = "T: type in [floats, ints]",
       .doc = "The larger of the elements of two sparse tensors of one shape, in row-major order, at all coordinates "
              "that either has. An element that is missing counts as zero.",
       .shape_fn = SparseSparseShapes,
       .gradient = SparseSparseMaximumGradient,
       .gradient_trial = {.untried = "the rule says that there is none"},
       .samples = SparseSamples()},
      {.signature = "SparseSparseMinimum(a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, "
                    "b_shape: int64) -> (output_indices: int64, output_values: T<either_zero>)",
       .attrs = "T: type in [numbers, quantized]",
       .doc = "The smaller of the elements of two sparse tensors of one shape, in row-major order, at all coordinates "
              "that either has. An element that is missing counts as zero.",
       .cpu = "T in [floats, ints]",
       .shape_fn = SparseSparseShapes,
       .gradient = SparseSparseMinimumGradient,
       .gradient_trial = {.untried = "the rule says that there is none"},
       .samples = SparseSamples()},
  };
  return rows;
}

}  // namespace plumb::topics
