#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes ExponentialShapes(const ShapeContext& c) { return SquareMatrices(c); }

}  // namespace

std::span<const OpRow> LinalgExponential() {
  static const OpRow rows[] = {
      {.signature = "MatrixExponential(input: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [float64, float32, float16, complexes]",
       .doc = "The exponential of each square matrix: the sum of its powers, each divided by the factorial of its "
              "exponent.",
       .cpu = "T in [float64, float32, complexes]",
       .shape_fn = ExponentialShapes,
       .cost = 256,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] in -3 .. 3", "[b... 2 2] in -2 .. 2", "[b 4 4] in -2 .. 2", "[17 17] in -1 .. 1",
                   "[2 3 3] in -9 .. 1", "[0 0]", "[b 0 0]"},
       .deprecated = {27, "Use Python implementation tf.linalg.matrix_exponential instead."}},
  };
  return rows;
}

}  // namespace plumb::topics
