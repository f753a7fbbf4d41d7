#include "spec/ops/gradient_helpers.h"
#include "spec/ops/matrix/products.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SparseMatMulShapes(const ShapeContext& c) {
  return {
      ProductDims(c, WithRank(c, 0, 2), c.attr<bool>("transpose_a"), WithRank(c, 1, 2), c.attr<bool>("transpose_b"))};
}

Endpoint AsTypeOf(Gradient& g, Endpoint gradient, Endpoint x) {
  if (g.dtype(gradient) == g.dtype(x)) return gradient;
  return g.Call("Cast", {gradient}, {{"DstT", g.dtype(x)}});
}

Values SparseMatMulGradient(Gradient& g) {
  const auto [da, db] = BothSides(g, {"SparseMatMul", "transpose_a", "transpose_b"}, g.x(0), g.x(1));
  return {AsTypeOf(g, da, g.x(0)), AsTypeOf(g, db, g.x(1))};
}

}  // namespace

std::span<const OpRow> MatrixSparseMatmul() {
  static const OpRow rows[] = {
      {.signature = "SparseMatMul(a: Ta, b: Tb) -> (product: float32)",
       .attrs = "transpose_a: bool = false; transpose_b: bool = false; a_is_sparse: bool = false; b_is_sparse: bool = "
                "false; Ta: type = float32 in [float32, bfloat16]; Tb: type = float32 in [float32, bfloat16]",
       .doc = "The matrix product of a and b in float32, each taken transposed if so asked. The zeros of one that is "
              "called sparse meet nothing, not even NaN: those of a, or else those of b.",
       .shape_fn = SparseMatMulShapes,
       .accuracy = Summation(),
       .gradient = SparseMatMulGradient,
       .samples = {"[m k] [k n]", "transpose_a=true a_is_sparse=true: [k m] [k n]",
                   "transpose_b=true b_is_sparse=true: [m k] [n k]", "transpose_a=true transpose_b=true: [k m] [n k]",
                   "a_is_sparse=true: {{0, 1}, {0, 2}} [2 n]", "b_is_sparse=true: [m 2] {{0, 1}, {0, 2}}",
                   "a_is_sparse=true: [24 64] [64 64]"}},
  };
  return rows;
}

}  // namespace plumb::topics
