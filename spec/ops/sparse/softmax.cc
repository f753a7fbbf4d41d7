#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes SparseSoftmaxShapes(const ShapeContext& c) {
  RequireSparseRanks(c, 0, 1, 2);
  return {WithRank(c, 1, 1)};
}

// y (dy − Σ y dy), the sum going over the elements of a row.
Values SparseSoftmaxGradient(Gradient& g) {
  const Endpoint y = g.y(0);
  const Endpoint sums =
      g.Call("SparseReduceSum", {g.x(0), g.Call("Mul", {y, g.dy()}), g.x(2), g.Int32s({-1})}, {{"keep_dims", true}});
  const Endpoint centred = g.Call("SparseDenseCwiseAdd", {g.x(0), g.dy(), g.x(2), g.Call("Neg", {sums})});
  return {GradientValue::None(), g.Call("Mul", {centred, y}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> SparseSoftmax() {
  static const OpRow rows[] = {
      {.signature = "SparseSoftmax(sp_indices: int64, sp_values: T, sp_shape: int64) -> (output: T)",
       .attrs = "T: type in [float16, float32, float64]",
       .doc = "Softmax over the elements of each row along the last dimension; what is not an element takes no part. "
              "The results come in row-major order. There are 2 dimensions at least.",
       .shape_fn = SparseSoftmaxShapes,
       .cost = 20,
       .accuracy = Composed(4),
       .gradient = SparseSoftmaxGradient,
       .samples = {"[9 2] sorted in 0..5 [9] {5, 6}", "[8 3] sorted in 0..3 [8] {3, 3, 4}", "[0 2] in 0..1 [0] {3, 3}",
                   "[4 2] sorted in 0..4 [4] finite {4, 4}"}},
  };
  return rows;
}

}  // namespace plumb::topics
