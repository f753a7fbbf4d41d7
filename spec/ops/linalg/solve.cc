#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

Shapes InverseShapes(const ShapeContext& c) { return SquareMatrices(c); }
Shapes SolutionShapes(const ShapeContext& c) { return SquareSystems(c); }

Values MatrixSolveGradient(Gradient& g) {
  const bool adjoint = g.attr<bool>("adjoint");
  const Endpoint db = g.Call("MatrixSolve", {g.x(0), g.dy()}, {{"adjoint", !adjoint}});
  return {SystemGradient(g, adjoint, g.y(), db), db};
}

// -A⁻ᴴ·dY·A⁻ᴴ; of the adjoint's inverse the adjoint of that.
Values MatrixInverseGradient(Gradient& g) {
  const bool adjoint = g.attr<bool>("adjoint");
  const Endpoint right = MatrixProduct(g, g.dy(), g.y(), adjoint, !adjoint);
  return {Negative(g, MatrixProduct(g, g.y(), right, !adjoint, false))};
}

}  // namespace

std::span<const OpRow> LinalgSolve() {
  static const OpRow rows[] = {
      {.signature = "MatrixInverse(input: T) -> (output: T) may_be_singular",
       .attrs = "adjoint: bool = false; T: type in [float64, float32, float16, complexes]",
       .doc = "The inverse of each square matrix, or that of its adjoint; INVALID_ARGUMENT where there is none.",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = InverseShapes,
       .cost = 64,
       .accuracy = Composed(1),
       .gradient = MatrixInverseGradient,
       .samples = {"[b... 1 1] positive", "[b... 2 2] finite", "adjoint=true: [b 3 3] finite", "[b 4 4] finite",
                   "adjoint=true: [17 17] finite", "[0 0]", "[b 0 0]"}},
      {.signature = "MatrixSolve(matrix: T, rhs: T) -> (output: T) may_be_singular",
       .attrs = "adjoint: bool = false; T: type in [float64, float32, float16, complexes]",
       .doc = "X with matrix·X = rhs for each square matrix, or with its adjoint; INVALID_ARGUMENT where it is "
              "singular.",
       .cpu = "T in [float64, float32, complexes]",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = SolutionShapes,
       .cost = 64,
       .accuracy = Composed(1),
       .gradient = MatrixSolveGradient,
       .samples = {"[b... 1 1] positive [b... 1 k] finite", "[b... 2 2] finite [b... 2 k] finite",
                   "adjoint=true: [b 3 3] finite [b 3 k] finite", "adjoint=true: [17 17] finite [17 k] finite",
                   "[40 40] finite [40 k] finite", "[0 0] [0 k]"}},
      {.signature = "BatchMatrixInverse(input: T) -> (output: T) may_be_singular",
       .attrs = "adjoint: bool = false; T: type in [float64, float32]",
       .doc = "An older name of MatrixInverse; its shape is not known before the run.",
       .shape_fn = ShapesOfTheRun,
       .cost = 64,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] positive", "[b... 2 2] finite", "adjoint=true: [b 3 3] finite", "[b 4 4] finite",
                   "adjoint=true: [17 17] finite", "[0 0]", "[b 0 0]"},
       .deprecated = {13, "Use MatrixInverse instead."}},
      {.signature = "BatchMatrixSolve(matrix: T, rhs: T) -> (output: T) may_be_singular",
       .attrs = "adjoint: bool = false; T: type in [float64, float32]",
       .doc = "An older name of MatrixSolve; its shape is not known before the run.",
       .shape_fn = ShapesOfTheRun,
       .cost = 64,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] positive [b... 1 k] finite", "[b... 2 2] finite [b... 2 k] finite",
                   "adjoint=true: [b 3 3] finite [b 3 k] finite", "adjoint=true: [17 17] finite [17 k] finite",
                   "[40 40] finite [40 k] finite", "[0 0] [0 k]"},
       .deprecated = {13, "Use MatrixSolve instead."}},
  };
  return rows;
}

}  // namespace plumb::topics
