#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

Shapes FactorShapes(const ShapeContext& c) { return SquareMatrices(c); }

// L⁻ᴴ·Φ(Lᴴ·dL)·L⁻¹, where Φ takes the lower triangle and half of the diagonal, and half of that with its adjoint.
Values CholeskyGradient(Gradient& g) {
  const Endpoint l = g.y();
  const auto solved = [&](Endpoint right) {
    return g.Call("MatrixTriangularSolve", {l, right}, {{"lower", true}, {"adjoint", true}});
  };
  const Endpoint middle = TriangleOf(g, MatrixProduct(g, l, g.dy(), true, false), true, 0.5);
  const Endpoint half = solved(MatrixAdjoint(g, solved(middle)));
  const Endpoint both = g.Call("AddV2", {half, MatrixAdjoint(g, half)});
  return {g.Call("Mul", {both, g.Scalar(0.5, g.dtype(both))})};
}

// Factors of products with the adjoint, and what comes back for them.
std::vector<const char*> GradientSamples() {
  return {"[b... 1 1] positive [b... 1 1] finite",
          "a = Identity T=$T: [2 2 2] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; l = Cholesky T=$T: m; "
          "l [2 2 2] finite",
          "a = Identity T=$T: [2 3 4] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; l = Cholesky T=$T: m; "
          "l [2 3 3] finite",
          "a = Identity T=$T: [17 40] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; l = Cholesky T=$T: m; "
          "l [17 17] finite",
          "[0 0] [0 0]"};
}

}  // namespace

std::span<const OpRow> LinalgCholesky() {
  static const OpRow rows[] = {
      {.signature = "Cholesky(input: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [float64, float32, float16, complexes]",
       .doc = "The lower triangle L with L·Lᴴ = input for each Hermitian positive definite matrix, of which the upper "
              "triangle is not read; NaN in the lower triangle for others.",
       .cpu = "T in [float64, float32, complexes]",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = FactorShapes,
       .cost = 32,
       .accuracy = Composed(1),
       .gradient = CholeskyGradient,
       .gradient_trial = {.untried = "the rule gives both triangles their half, the op reads one"},
       .samples = {"[b... 1 1] positive",
                   "a = Identity T=$T: [2 2 2] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m",
                   "a = Identity T=$T: [2 3 3] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m",
                   "a = Identity T=$T: [17 20] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m", "[0 0]"}},
      {.signature = "BatchCholesky(input: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [float64, float32]",
       .doc = "An older name of Cholesky; its shape is not known before the run.",
       .shape_fn = ShapesOfTheRun,
       .cost = 32,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] positive",
                   "a = Identity T=$T: [2 2 2] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m",
                   "a = Identity T=$T: [2 3 3] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m",
                   "a = Identity T=$T: [17 20] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m", "[0 0]"},
       .deprecated = {13, "Use Cholesky instead."}},
      {.signature = "CholeskyGrad(l: T, grad: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [float16, float32, float64]",
       .doc = "The gradient of the matrix of which l is Cholesky's factor and grad the gradient of l: symmetric, of "
              "both inputs the lower triangle is read.",
       .cpu = "T in [float32, float64]",
       .shape_fn = FactorShapes,
       .cost = 64,
       .accuracy = Composed(1),
       .samples = GradientSamples()},
      {.signature = "BatchCholeskyGrad(l: T, grad: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [float32, float64]",
       .doc = "An older name of CholeskyGrad; its shape is not known before the run.",
       .shape_fn = ShapesOfTheRun,
       .cost = 64,
       .accuracy = Composed(1),
       .samples = GradientSamples(),
       .deprecated = {13, "Use CholeskyGrad instead."}},
  };
  return rows;
}

}  // namespace plumb::topics
