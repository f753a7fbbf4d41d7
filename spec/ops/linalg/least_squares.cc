#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

Shapes LeastSquaresShapes(const ShapeContext& c) {
  RequireScalar(c, 2);
  const PartialShape batch = MergeShapes(c, MatrixBatch(c, 0), MatrixBatch(c, 1));
  MergeDims(c, MatrixDim(c, 0, 0), MatrixDim(c, 1, 0));
  return {Join(batch, PartialShape{MatrixDim(c, 0, 1), MatrixDim(c, 1, 1)})};
}

// What solves the regularized normal equations: L with L·Lᴴ = AᴴA + λI, or AAᴴ + λI.
class NormalEquations {
 public:
  NormalEquations(Gradient& g, bool first_kind) : g_(g) {
    const Endpoint a = g.x(0), gram = MatrixProduct(g, a, a, first_kind, !first_kind);
    const Endpoint ones = g.Call("OnesLike", {g.Call("Sum", {gram, g.Int32s({-1})})});
    const Endpoint weight = g.Call("Cast", {g.x(2)}, {{"DstT", g.dtype(a)}});
    const Endpoint added = g.Call("MatrixDiag", {g.Call("Mul", {ones, weight})});
    factor_ = g.Call("Cholesky", {g.Call("AddV2", {gram, added})});
  }
  Endpoint Solved(Endpoint side) const {
    const Endpoint half = g_.Call("MatrixTriangularSolve", {factor_, side}, {{"lower", true}, {"adjoint", false}});
    return g_.Call("MatrixTriangularSolve", {factor_, half}, {{"lower", true}, {"adjoint", true}});
  }

 private:
  Gradient& g_;
  Endpoint factor_;
};

// Of X = (AᴴA + λI)⁻¹·Aᴴ·B, with Z = (AᴴA + λI)⁻¹·dX: dA = B·Zᴴ − A·(X·Zᴴ + Z·Xᴴ), dB = A·Z.
Values TallGradient(Gradient& g) {
  const Endpoint a = g.x(0), z = NormalEquations(g, true).Solved(g.dy());
  const Endpoint xz = MatrixProduct(g, g.y(), z, false, true);
  const Endpoint both = g.Call("AddV2", {xz, MatrixAdjoint(g, xz)});
  const Endpoint da = g.Call("Sub", {MatrixProduct(g, g.x(1), z, false, true), MatrixProduct(g, a, both)});
  return {da, MatrixProduct(g, a, z), GradientValue::None()};
}

// Of X = Aᴴ·W with W = (AAᴴ + λI)⁻¹·B: dB = (AAᴴ + λI)⁻¹·A·dX, dA = W·(dX − Aᴴ·dB)ᴴ − dB·Xᴴ.
Values WideGradient(Gradient& g) {
  const Endpoint a = g.x(0);
  const NormalEquations equations(g, false);
  const Endpoint db = equations.Solved(MatrixProduct(g, a, g.dy())), w = equations.Solved(g.x(1));
  const Endpoint rest = g.Call("Sub", {g.dy(), MatrixProduct(g, a, db, true, false)});
  const Endpoint da = g.Call("Sub", {MatrixProduct(g, w, rest, false, true), MatrixProduct(g, db, g.y(), false, true)});
  return {da, db, GradientValue::None()};
}

Values LeastSquaresGradient(Gradient& g) {
  if (!g.attr<bool>("fast")) throw InvalidArgument("MatrixSolveLs has a gradient for fast=true only");
  const PartialShape& a = g.shape(g.x(0));
  const int64_t rows = a.has_rank() ? a.dim(a.rank() - 2) : -1, columns = a.has_rank() ? a.dim(a.rank() - 1) : -1;
  if (rows < 0 || columns < 0) {
    throw Unimplemented("the gradient of MatrixSolveLs needs to know the sizes of the matrices before the run");
  }
  return rows >= columns ? TallGradient(g) : WideGradient(g);
}

}  // namespace

std::span<const OpRow> LinalgLeastSquares() {
  static const OpRow rows[] = {
      {.signature = "MatrixSolveLs(matrix: T, rhs: T, l2_regularizer: float64) -> (output: T) may_be_singular",
       .attrs = "T: type in [float64, float32, float16, complexes]; fast: bool = true",
       .doc = "X with the least ‖matrix·X − rhs‖² + l2_regularizer·‖X‖² for each matrix, by normal equations: "
              "INVALID_ARGUMENT where they are not positive definite. For a matrix with more columns than rows and no "
              "regularizer, the least X that solves the equations. With fast=false the least X with the least "
              "‖matrix·X − rhs‖, by an orthogonal decomposition that takes matrices of any rank and looks at no "
              "regularizer. Zeros for matrices without rows.",
       .cpu = "T in [float64, float32, complexes]",
       .shape_fn = LeastSquaresShapes,
       .cost = 128,
       .accuracy = Composed(1),
       .gradient = LeastSquaresGradient,
       .gradient_trial = {.constant_inputs = {2}},
       .samples = {"[b... 1 1] in 1 .. 2 [b... 1 k] in -2 .. 2 0.0", "[b 3 2] in -2 .. 2 [b 3 k] in -2 .. 2 0.5",
                   "[b 2 3] in -2 .. 2 [b 2 k] in -2 .. 2 0.25", "[7 4] in -2 .. 2 [7 k] in -2 .. 2 0.0",
                   "[4 7] in -2 .. 2 [4 k] in -2 .. 2 0.0", "[70 40] in -2 .. 2 [70 k] in -2 .. 2 1.0",
                   "[b 0 2] [b 0 k] 0.0", "[b 2 0] [b 2 k] 1.0"}},
      {.signature = "BatchMatrixSolveLs(matrix: T, rhs: T, l2_regularizer: float64) -> (output: T) may_be_singular",
       .attrs = "T: type in [float64, float32]; fast: bool = true",
       .doc = "An older name of MatrixSolveLs; its shape is not known before the run.",
       .shape_fn = ShapesOfTheRun,
       .cost = 128,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] in 1 .. 2 [b... 1 k] in -2 .. 2 0.0", "[b 3 2] in -2 .. 2 [b 3 k] in -2 .. 2 0.5",
                   "[b 2 3] in -2 .. 2 [b 2 k] in -2 .. 2 0.25", "[7 4] in -2 .. 2 [7 k] in -2 .. 2 0.0",
                   "[4 7] in -2 .. 2 [4 k] in -2 .. 2 0.0", "[70 40] in -2 .. 2 [70 k] in -2 .. 2 1.0",
                   "[b 0 2] [b 0 k] 0.0", "[b 2 0] [b 2 k] 1.0"},
       .deprecated = {13, "Use MatrixSolveLs instead."}},
  };
  return rows;
}

}  // namespace plumb::topics
