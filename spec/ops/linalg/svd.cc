#include <optional>

#include "spec/ops/linalg/matrices.h"
#include "spec/ops/linalg/spectra.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

Shapes SvdShapes(const ShapeContext& c) {
  const PartialShape batch = MatrixBatch(c, 0);
  const int64_t m = MatrixDim(c, 0, 0), n = MatrixDim(c, 0, 1);
  const int64_t values = m == 0 || n == 0 ? 0 : std::min(m, n);  // an unknown size, -1, is the smaller one
  const PartialShape s = Join(batch, PartialShape{values});
  if (!c.attr<bool>("compute_uv")) return {s, PartialShape{0}, PartialShape{0}};
  const bool full = c.attr<bool>("full_matrices");
  return {s, Join(batch, PartialShape{m, full ? m : values}), Join(batch, PartialShape{n, full ? n : values})};
}

// What the rule sees of A = U·S·Vᴴ, or of Aᴴ where that has fewer rows.
struct Decomposed {
  Endpoint s, u, v, ds, du, dv;
  int64_t m = 0, n = 0;  // m ≤ n
  bool is_full = false;
};

// U·(diag(ds) + (F∘UᴴdU + its adjoint)·S + S·(F∘VᴴdV + its adjoint))·Vᴴ with Fᵢⱼ = 1/(sⱼ² − sᵢ²).
Endpoint InsideTerm(Gradient& g, const Decomposed& d, Endpoint v1, Endpoint dv1) {
  const Endpoint f = InverseDifferences(g, g.Call("Mul", {d.s, d.s})), s = DiagonalMatrix(g, d.s);
  const auto both = [&](Endpoint x, Endpoint dx) {
    const Endpoint one = g.Call("Mul", {f, MatrixProduct(g, x, dx, true, false)});
    return g.Call("AddV2", {one, MatrixAdjoint(g, one)});
  };
  const Endpoint middle =
      g.Call("AddV2", {g.Call("AddV2", {DiagonalMatrix(g, d.ds), MatrixProduct(g, both(d.u, d.du), s)}),
                       MatrixProduct(g, s, both(v1, dv1))});
  return MatrixProduct(g, d.u, MatrixProduct(g, middle, v1, false, true));
}

// U·S⁻¹·(dV₁ᴴ − dV₁ᴴ·V₁·V₁ᴴ − V₁ᴴ·dV₂·V₂ᴴ): what dV has outside of the rows that A spans.
Endpoint OutsideTerm(Gradient& g, const Decomposed& d, Endpoint v1, Endpoint dv1) {
  const Endpoint adjoint = MatrixAdjoint(g, dv1);
  Endpoint rest = g.Call("Sub", {adjoint, MatrixProduct(g, MatrixProduct(g, adjoint, v1), v1, false, true)});
  if (d.is_full) {
    const Endpoint across = MatrixProduct(g, v1, Columns(g, d.dv, d.m, 0), true, false);
    rest = g.Call("Sub", {rest, MatrixProduct(g, across, Columns(g, d.v, d.m, 0), false, true)});
  }
  const Endpoint inverse = DiagonalMatrix(g, SafeReciprocal(g, d.s));
  return MatrixProduct(g, MatrixProduct(g, d.u, inverse), rest);
}

// U·S⁻¹·(Lᴴ − L)·Vᴴ/2 with the diagonal L of VᴴdV: what turns with the phases of complex vectors.
Endpoint PhaseTerm(Gradient& g, const Decomposed& d, Endpoint v1, Endpoint dv1) {
  const Endpoint overlap = g.Call("Sum", {g.Call("Mul", {g.Conjugate(v1), dv1}), g.Int32s({-2})});
  const Endpoint turn = g.Call("Mul", {g.Call("Sub", {g.Conjugate(overlap), overlap}), SafeReciprocal(g, d.s)});
  const Endpoint half = g.Call("Mul", {DiagonalMatrix(g, turn), g.Scalar(0.5, g.dtype(turn))});
  return MatrixProduct(g, d.u, MatrixProduct(g, half, v1, false, true));
}

Values SvdGradient(Gradient& g) {
  if (!g.attr<bool>("compute_uv")) {
    const NodeId svd = g.Add("Svd", {g.x()});
    const Endpoint middle = DiagonalMatrix(g, g.dy(0));
    return {MatrixProduct(g, {svd, 1}, MatrixProduct(g, middle, {svd, 2}, false, true))};
  }
  const PartialShape& a = g.shape(g.x());
  const int64_t rows = a.has_rank() ? a.dim(a.rank() - 2) : -1, columns = a.has_rank() ? a.dim(a.rank() - 1) : -1;
  if (rows < 0 || columns < 0) {
    throw Unimplemented("the gradient of Svd needs to know the sizes of the matrices before the run");
  }
  const bool tall = rows > columns, is_full = g.attr<bool>("full_matrices");
  if (is_full && std::abs(rows - columns) > 1) {
    throw Unimplemented("the gradient of Svd with full matrices takes no more than one additional row or column, not ",
                        rows, " by ", columns);
  }
  const Decomposed d = tall ? Decomposed{g.y(0), g.y(2), g.y(1), g.dy(0), g.dy(2), g.dy(1), columns, rows, is_full}
                            : Decomposed{g.y(0), g.y(1), g.y(2), g.dy(0), g.dy(1), g.dy(2), rows, columns, is_full};
  const Endpoint v1 = Columns(g, d.v, 0, d.m), dv1 = Columns(g, d.dv, 0, d.m);
  Endpoint da = InsideTerm(g, d, v1, dv1);
  if (d.m < d.n) da = g.Call("AddV2", {da, OutsideTerm(g, d, v1, dv1)});
  if (IsComplex(g.dtype(da))) da = g.Call("AddV2", {da, PhaseTerm(g, d, v1, dv1)});
  return {tall ? MatrixAdjoint(g, da) : da};
}

}  // namespace

std::span<const OpRow> LinalgSvd() {
  static const OpRow rows[] = {
      {.signature =
           "Svd(input: T) -> (s: T, u: T<columns_up_to_phase>, v: T<columns_up_to_same_phase>) may_be_singular",
       .attrs = "compute_uv: bool = true; full_matrices: bool = false; T: type in [float64, float32, float16, "
                "complexes]",
       .doc =
           "The singular values of each matrix in descending order, and unit singular vectors as the columns of u "
           "and v, input = u·diag(s)·vᴴ; a basis of the whole space with full_matrices. Without compute_uv, u and v "
           "have the shape [0]. NaN for a matrix that is not finite, but zeros where it is complex, as in TensorFlow.",
       .cpu = "T in [float64, float32, complexes]",
       .gpu = "T in [float32, float64]",
       .shape_fn = SvdShapes,
       .cost = 512,
       .accuracy = Composed(1),
       .gradient = SvdGradient,
       .samples = {"[b... 1 1] finite", "[b... 2 3] finite", "compute_uv=false: [b 3 4] finite",
                   "compute_uv=false full_matrices=true: [b 4 3] finite", "full_matrices=true: [b 3 2] finite",
                   "full_matrices=true: [2 3] finite", "[b 4 4] finite", "compute_uv=false: [20 13] finite",
                   "[9 12] finite", "[33 2] finite", "[0 0]", "full_matrices=true: [b 0 3]", "[2 0]"}},
      {.signature =
           "BatchSvd(input: T) -> (s: T, u: T<columns_up_to_phase>, v: T<columns_up_to_same_phase>) may_be_singular",
       .attrs = "compute_uv: bool = true; full_matrices: bool = false; T: type in [float64, float32, complexes]",
       .doc = "An older name of Svd; its shape is not known before the run.",
       .cpu = "T in [float64, float32, complexes]",
       .gpu = "T in [float32, float64]",
       .shape_fn = ShapesOfTheRun,
       .cost = 512,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] finite", "[b... 2 3] finite", "compute_uv=false: [b 3 4] finite",
                   "compute_uv=false full_matrices=true: [b 4 3] finite", "full_matrices=true: [b 3 2] finite",
                   "full_matrices=true: [2 3] finite", "[b 4 4] finite", "compute_uv=false: [20 13] finite",
                   "[9 12] finite", "[0 0]", "full_matrices=true: [b 0 3]", "[2 0]"},
       .deprecated = {13, "Use Svd instead."}},
  };
  return rows;
}

}  // namespace plumb::topics
