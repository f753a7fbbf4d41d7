#include "spec/ops/gradient_helpers.h"
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

// X, the solution for A and B with the weight λ, and its gradient.
struct Solution {
  Endpoint a, b, weight, x, dx;
};
struct SidesGradient {
  Endpoint da, db;
};

// What solves the regularized normal equations: L with L·Lᴴ = AᴴA + λI, or AAᴴ + λI.
class NormalEquations {
 public:
  NormalEquations(Gradient& g, Endpoint a, Endpoint weight, bool first_kind) : g_(g) {
    const Endpoint gram = MatrixProduct(g, a, a, first_kind, !first_kind);
    const Endpoint ones = g.Call("OnesLike", {g.Call("Sum", {gram, g.Int32s({-1})})});
    const Endpoint as_number = g.Call("Cast", {weight}, {{"DstT", g.dtype(a)}});
    const Endpoint added = g.Call("MatrixDiag", {g.Call("Mul", {ones, as_number})});
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
SidesGradient OfTall(Gradient& g, const Solution& s) {
  const Endpoint z = NormalEquations(g, s.a, s.weight, true).Solved(s.dx);
  const Endpoint xz = MatrixProduct(g, s.x, z, false, true);
  const Endpoint both = g.Call("AddV2", {xz, MatrixAdjoint(g, xz)});
  return {g.Call("Sub", {MatrixProduct(g, s.b, z, false, true), MatrixProduct(g, s.a, both)}),
          MatrixProduct(g, s.a, z)};
}

// Of X = Aᴴ·W with W = (AAᴴ + λI)⁻¹·B: dB = (AAᴴ + λI)⁻¹·A·dX, dA = W·(dX − Aᴴ·dB)ᴴ − dB·Xᴴ.
SidesGradient OfWide(Gradient& g, const Solution& s) {
  const NormalEquations equations(g, s.a, s.weight, false);
  const Endpoint db = equations.Solved(MatrixProduct(g, s.a, s.dx)), w = equations.Solved(s.b);
  const Endpoint rest = g.Call("Sub", {s.dx, MatrixProduct(g, s.a, db, true, false)});
  return {g.Call("Sub", {MatrixProduct(g, w, rest, false, true), MatrixProduct(g, db, s.x, false, true)}), db};
}

// Which of the two the run says.
SidesGradient OfEither(Gradient& g, const Solution& s) {
  const Endpoint sizes = g.ShapeOf(s.a);
  const Endpoint is_tall = g.Call("Squeeze", {g.Call("GreaterEqual", {Part(g, sizes, -2, -1), Part(g, sizes, -1, 0)})});
  const auto branch = [&](int output) {
    const auto taken = [&](Endpoint value) { return Endpoint{g.Add("Switch", {value, is_tall}), output}; };
    return Solution{taken(s.a), taken(s.b), taken(s.weight), taken(s.x), taken(s.dx)};
  };
  const SidesGradient wide = OfWide(g, branch(0)), tall = OfTall(g, branch(1));
  return {g.Call("Merge", {wide.da, tall.da}), g.Call("Merge", {wide.db, tall.db})};
}

Values LeastSquaresGradient(Gradient& g) {
  if (!g.attr<bool>("fast")) throw InvalidArgument("MatrixSolveLs has a gradient for fast=true only");
  const PartialShape& a = g.shape(g.x(0));
  const int64_t rows = a.has_rank() ? a.dim(a.rank() - 2) : -1, columns = a.has_rank() ? a.dim(a.rank() - 1) : -1;
  const Solution solution = {g.x(0), g.x(1), g.x(2), g.y(), g.dy()};
  const SidesGradient sides = rows < 0 || columns < 0 ? OfEither(g, solution)
                              : rows >= columns       ? OfTall(g, solution)
                                                      : OfWide(g, solution);
  return {sides.da, sides.db, GradientValue::None()};
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
