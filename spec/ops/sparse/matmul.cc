#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SparseMatMulShapes(const ShapeContext& c) {
  WithRank(c, 0, 2);
  for (const int i : {1, 2}) WithRank(c, i, 1);
  const PartialShape a = ConstantShape(c, 2), b = WithRank(c, 3, 2);
  Require(!a.has_rank() || a.rank() == 2, c.op().name, ": the sparse operand must be a matrix, not of shape ",
          a.ToString());
  const bool adjoint_a = c.attr<bool>("adjoint_a"), adjoint_b = c.attr<bool>("adjoint_b");
  MergeDims(c, a.dim(adjoint_a ? 0 : 1), b.dim(adjoint_b ? 1 : 0));
  return {PartialShape{a.dim(adjoint_a ? 1 : 0), b.dim(adjoint_b ? 0 : 1)}};
}

Endpoint Column(Gradient& g, Endpoint matrix, int column) {
  return g.Call("StridedSlice", {matrix, g.Int32s({0, column}), g.Int32s({0, column + 1}), g.Int32s({1, 1})},
                {{"begin_mask", 1}, {"end_mask", 1}, {"shrink_axis_mask", 2}});
}
Endpoint AdjointOf(Gradient& g, Endpoint matrix) {
  return g.Conjugate(g.Call("Transpose", {matrix, g.Int32s({1, 0})}));
}

// Of b: the adjoint of a times dy. Of each value of a: the row of dy that it adds to, times the row of b that it takes.
Values SparseMatMulGradient(Gradient& g) {
  const bool adjoint_a = g.attr<bool>("adjoint_a"), adjoint_b = g.attr<bool>("adjoint_b");
  const Endpoint product =
      g.Call("SparseTensorDenseMatMul", {g.x(0), g.x(1), g.x(2), g.dy()}, {{"adjoint_a", !adjoint_a}});
  const Endpoint rows = Column(g, g.x(0), 0), columns = Column(g, g.x(0), 1);
  const Endpoint b = adjoint_b ? AdjointOf(g, g.x(3)) : g.x(3);
  const Endpoint to = g.Call("GatherV2", {g.dy(), adjoint_a ? columns : rows, Zero(g)});
  const Endpoint from = g.Call("GatherV2", {b, adjoint_a ? rows : columns, Zero(g)});
  const Endpoint sum = g.Call("Sum", {g.Call("Mul", {to, g.Conjugate(from)}), One(g)});
  return {GradientValue::None(), adjoint_a ? g.Conjugate(sum) : sum, GradientValue::None(),
          adjoint_b ? AdjointOf(g, product) : product};
}

}  // namespace

std::span<const OpRow> SparseMatmul() {
  static const OpRow rows[] = {
      {.signature = "SparseTensorDenseMatMul(a_indices: Tindices, a_values: T, a_shape: int64, b: T) -> (product: T)",
       .attrs = "T: type; Tindices: type = int64 in [int32, int64]; adjoint_a: bool = false; adjoint_b: bool = false",
       .doc = "The product of a sparse and a dense matrix, each taken adjoint if so asked. Elements at the same "
              "coordinates are added; coordinates outside of the shape are an error, unless nothing is multiplied.",
       .cpu = "T in [floats, complexes, int32]",
       .gpu = "T in [floats, complexes]; Tindices in [int32, int64]",
       .shape_fn = SparseMatMulShapes,
       .accuracy = Summation(),
       .gradient = SparseMatMulGradient,
       .samples = {"[n 2] in 0..4 [n] {4, 5} [5 B]", "adjoint_a=true: [n 2] in 0..4 [n] {4, 5} [4 B]",
                   "adjoint_b=true: [n 2] in 0..4 [n] {5, 4} [B 4]",
                   "adjoint_a=true adjoint_b=true: [n 2] in 0..4 [n] {4, 4} [B 4]", "[0 2] in 0..1 [0] {3, B} [B 2]"}},
  };
  return rows;
}

}  // namespace plumb::topics
