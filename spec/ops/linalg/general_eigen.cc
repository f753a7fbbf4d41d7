#include "spec/ops/linalg/matrices.h"
#include "spec/ops/linalg/spectra.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes GeneralEigenShapes(const ShapeContext& c) {
  const PartialShape batch = MatrixBatch(c, 0);
  const int64_t size = MergeDims(c, MatrixDim(c, 0, 0), MatrixDim(c, 0, 1));
  const PartialShape vectors = c.attr<bool>("compute_v") ? Join(batch, PartialShape{size, size}) : PartialShape{0};
  return {Join(batch, PartialShape{size}), vectors};
}

// Zero at zero, and exactly 1/x elsewhere: differences of conjugate values are imaginary.
Endpoint ReciprocalOrZero(Gradient& g, Endpoint x) {
  const Endpoint is_zero = g.Call("Equal", {x, g.ZerosLike(x)});
  const Endpoint instead = g.Call("Select", {is_zero, g.Call("OnesLike", {x}), x});
  return g.Call("Select", {is_zero, g.ZerosLike(x), g.Call("Reciprocal", {instead})});
}

// V⁻ᴴ·(diag(de) + F̄∘(VᴴdV − VᴴV·diag(Re diag(VᴴdV))))·Vᴴ with Fᵢⱼ = 1/(eⱼ − eᵢ): unit vectors keep their lengths.
Values EigGradient(Gradient& g) {
  Endpoint v = g.y(1), middle = DiagonalMatrix(g, g.dy(0));
  const DType complex = g.dtype(g.y(0));
  if (g.attr<bool>("compute_v")) {
    const auto along = [&](int axis) { return g.Call("ExpandDims", {g.y(0), g.Scalar(axis, DType::kInt32)}); };
    const Endpoint f = g.Conjugate(ReciprocalOrZero(g, g.Call("Sub", {along(-2), along(-1)})));
    const Endpoint projected = MatrixProduct(g, v, g.dy(1), true, false), gram = MatrixProduct(g, v, v, true, false);
    const DType real = complex == DType::kComplex64 ? DType::kFloat : DType::kDouble;
    const Endpoint diagonal =
        g.Call("MatrixDiagPartV3", {projected, g.Scalar(0, DType::kInt32), g.Scalar(0, g.dtype(projected))});
    const Endpoint lengths = g.Call("Cast", {g.Call("Real", {diagonal}, {{"Tout", real}})}, {{"DstT", complex}});
    const Endpoint kept = g.Call("Sub", {projected, MatrixProduct(g, gram, DiagonalMatrix(g, lengths))});
    middle = g.Call("AddV2", {middle, g.Call("Mul", {f, kept})});
  } else {
    v = {g.Add("Eig", {g.x()}, {{"Tout", complex}}), 1};
  }
  const Endpoint turned = MatrixProduct(g, middle, v, false, true);
  const Endpoint da = g.Call("MatrixSolve", {v, turned}, {{"adjoint", true}});
  const DType type = g.dtype(g.x());
  return {IsComplex(type) ? da : g.Call("Real", {da}, {{"Tout", type}})};
}

#define PLUMB_OF_BOTH_WIDTHS(settings, shape)                                  \
  settings " T in [float32, complex64] Tout in [complex64]: " shape " finite", \
      settings " T in [float64, complex128] Tout in [complex128]: " shape " finite"

}  // namespace

std::span<const OpRow> LinalgGeneralEigen() {
  static const OpRow rows[] = {
      {.signature = "Eig(input: T) -> (e: Tout<elements_in_any_order>, v: Tout<columns_in_same_order_up_to_phase>) "
                    "may_be_singular",
       .attrs = "compute_v: bool = true; T: type in [float32, float64, complexes]; Tout: type in [complexes]",
       .doc = "The eigenvalues of each square matrix, and unit eigenvectors as the columns of v, in the same order. "
              "Without compute_v, v has the shape [0]. INVALID_ARGUMENT for a matrix of two rows or more that is not "
              "finite.",
       .shape_fn = GeneralEigenShapes,
       .cost = 512,
       .accuracy = Composed(1),
       .gradient = EigGradient,
       .gradient_trial = {.untried = "half of it is of complex numbers"},
       .samples = {PLUMB_OF_BOTH_WIDTHS("", "[b... 1 1]"), PLUMB_OF_BOTH_WIDTHS("", "[b... 2 2]"),
                   PLUMB_OF_BOTH_WIDTHS("compute_v=false", "[b 3 3]"), PLUMB_OF_BOTH_WIDTHS("", "[b 4 4]"),
                   PLUMB_OF_BOTH_WIDTHS("compute_v=false", "[17 17]"), PLUMB_OF_BOTH_WIDTHS("", "[12 12]"),
                   PLUMB_OF_BOTH_WIDTHS("", "[0 0]"),
                   "T in [float64, complex128] Tout in [complex128]: {{0, 0}, {0, 0}}",
                   "T in [float64, complex128] Tout in [complex128]: {{2, 0}, {0, 2}}",
                   PLUMB_OF_BOTH_WIDTHS("compute_v=false", "[b 0 0]")}},
  };
  return rows;
}

}  // namespace plumb::topics
