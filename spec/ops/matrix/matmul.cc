#include "spec/ops/gradient_helpers.h"
#include "spec/ops/matrix/products.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes MatMulShapes(const ShapeContext& c) {
  return {
      ProductDims(c, WithRank(c, 0, 2), c.attr<bool>("transpose_a"), WithRank(c, 1, 2), c.attr<bool>("transpose_b"))};
}

Values MatMulGradient(Gradient& g) {
  const auto [da, db] =
      BothSides(g, {"MatMul", "transpose_a", "transpose_b"}, g.Conjugate(g.x(0)), g.Conjugate(g.x(1)));
  return {da, db};
}

}  // namespace

std::span<const OpRow> MatrixMatmul() {
  static const OpRow rows[] = {
      {.signature = "MatMul(a: T, b: T) -> (product: T)",
       .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: type in [floats, complexes, int32, "
                "int64, uint8, uint16, uint32, uint64]",
       .doc = "The matrix product of a and b, each taken transposed if so asked.",
       .cpu = "T in [floats, complexes, int32, int64]",
       .gpu = "T in [floats, complexes]",
       .shape_fn = MatMulShapes,
       .accuracy = Summation(),
       .gradient = MatMulGradient,
       .samples = {"[m k] [k n]", "transpose_a=true: [k m] [k n]", "transpose_b=true: [m k] [n k]",
                   "transpose_a=true transpose_b=true: [k m] [n k]", "[7 33] [33 17]", "[12 9] [9 32]",
                   "[512 64] [64 2]"}},
  };
  return rows;
}

}  // namespace plumb::topics
