#include "spec/ops/linalg/matrices.h"
#include "spec/ops/linalg/spectra.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes QrShapes(const ShapeContext& c) {
  const PartialShape batch = MatrixBatch(c, 0);
  const int64_t m = MatrixDim(c, 0, 0), n = MatrixDim(c, 0, 1);
  const bool full = c.attr<bool>("full_matrices");
  const int64_t least = m == 0 || n == 0 ? 0 : std::min(m, n);  // an unknown size, -1, is the smaller one
  const int64_t inner = full ? m : least;
  return {Join(batch, PartialShape{m, inner}), Join(batch, PartialShape{inner, n})};
}

Endpoint Less(Gradient& g, Endpoint a, Endpoint b) { return g.Call("Sub", {a, b}); }

// x·R⁻ᴴ.
Endpoint TimesInverseAdjoint(Gradient& g, Endpoint x, Endpoint r) {
  const Endpoint solved = g.Call("MatrixTriangularSolve", {r, MatrixAdjoint(g, x)}, {{"lower", false}});
  return MatrixAdjoint(g, solved);
}

// For matrices with as many rows as columns at least.
Endpoint DeepGradient(Gradient& g, Endpoint q, Endpoint r, Endpoint dq, Endpoint dr) {
  const Endpoint qdq = MatrixProduct(g, q, dq, true, false), rdr = MatrixProduct(g, r, dr, false, true);
  const Endpoint skew = g.Call("AddV2", {Less(g, qdq, MatrixAdjoint(g, qdq)), Less(g, rdr, MatrixAdjoint(g, rdr))});
  const Endpoint inside = g.Call("AddV2", {dr, TimesInverseAdjoint(g, TriangleOf(g, skew, true, 1), r)});
  const Endpoint outside = TimesInverseAdjoint(g, Less(g, dq, MatrixProduct(g, q, qdq)), r);
  const Endpoint da = g.Call("AddV2", {MatrixProduct(g, q, inside), outside});
  if (!IsComplex(g.dtype(da))) return da;
  // R has a real diagonal.
  const Endpoint overlap =
      g.Call("MatrixDiagPartV3", {Less(g, rdr, MatrixAdjoint(g, qdq)), Zero(g), g.Scalar(0, g.dtype(da))});
  const Endpoint imaginary = g.Call("Mul", {Less(g, overlap, g.Conjugate(overlap)), g.Scalar(0.5, g.dtype(da))});
  const Endpoint turn = g.Conjugate(g.Call("MatrixDiag", {imaginary}));
  return g.Call("AddV2", {da, TimesInverseAdjoint(g, MatrixProduct(g, q, turn), r)});
}

Values QrGradient(Gradient& g) {
  const PartialShape& a = g.shape(g.x());
  const int64_t m = a.has_rank() ? a.dim(a.rank() - 2) : -1, n = a.has_rank() ? a.dim(a.rank() - 1) : -1;
  if (m < 0 || n < 0) throw Unimplemented("the gradient of Qr needs to know the sizes of the matrices before the run");
  if (m > n && g.attr<bool>("full_matrices")) {
    throw Unimplemented("the gradient of Qr with full matrices takes no more rows than columns, not ", m, " by ", n);
  }
  const Endpoint q = g.y(0), r = g.y(1), dq = g.dy(0), dr = g.dy(1);
  if (m >= n) return {DeepGradient(g, q, r, dq, dr)};
  // The columns behind the square ones are Q·V: they add to the gradient of Q.
  const Endpoint dv = Columns(g, dr, m, 0), dy = MatrixProduct(g, q, dv);
  const Endpoint across = MatrixProduct(g, Columns(g, g.x(), m, 0), dv, false, true);
  const Endpoint dx = DeepGradient(g, q, Columns(g, r, 0, m), g.Call("AddV2", {dq, across}), Columns(g, dr, 0, m));
  return {g.Call("ConcatV2", {dx, dy, g.Scalar(-1, DType::kInt32)}, {{"N", 2}})};
}

}  // namespace

std::span<const OpRow> LinalgQr() {
  static const OpRow rows[] = {
      {.signature = "Qr(input: T) -> (q: T, r: T) may_be_singular",
       .attrs = "full_matrices: bool = false; T: type in [float64, float32, float16, complexes]",
       .doc =
           "input = q·r for each matrix, where q has orthonormal columns and r is an upper triangle whose diagonal is "
           "real, by Householder's reflections: each makes the diagonal element's sign the opposite of that which it "
           "finds, or leaves it where nothing is below. With full_matrices q is square.",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = QrShapes,
       .cost = 64,
       .accuracy = Composed(1),
       .gradient = QrGradient,
       .samples = {"[b... 1 1] finite", "[b... 2 2] finite", "[b 4 3] finite", "full_matrices=true: [b 2 3] finite",
                   "full_matrices=true: [3 3] finite", "[12 7] finite", "[5 9] finite", "[33 2] finite", "[0 0]",
                   "full_matrices=false: [b 3 0]"}},
  };
  return rows;
}

}  // namespace plumb::topics
