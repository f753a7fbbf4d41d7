// P·A = L·U by Gaussian elimination with partial pivoting.
#include "reference/ops/lib/dense/io.h"

namespace plumb::reference {
namespace {

template <class S>
Dense<S> StrictlyLower(Dense<S> a) {
  a = Triangle(std::move(a), true);
  for (int64_t i = 0; i < a.rows; ++i) a(i, i) = 0;
  return a;
}
// The rows in the order in which the elimination takes them.
template <class S>
Dense<S> InOrder(const Dense<S> &a, const std::vector<int64_t> &order) {
  Dense<S> result(a.rows, a.columns);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.columns; ++j) result(i, j) = a(order[static_cast<size_t>(i)], j);
  }
  return result;
}

// With M = L⁻¹·δ(P·A)·U⁻¹, L moves by L times the triangle of M below the
// diagonal, and U by the rest times U.
template <class S>
Dense<S> Moved(const Dense<S> &l, const Dense<S> &u, const Dense<S> &m) {
  return l * StrictlyLower(m) + Triangle(m, false) * u;
}

// A conforming L̂·Û is P·A + δA with |δA| ≤ γₙ·|L|·|U|. All higher orders are
// less than the first once more as long as ‖M‖ is below a quarter; a pivot that
// is one by less than the error may be another one.
template <class N>
Parts<N> Factored(const Parts<N> &a, const Elimination<typename Parts<N>::S> &elimination) {
  using S = typename Parts<N>::S;
  const Dense<S> &l = elimination.l, &u = elimination.u;
  const int64_t n = l.rows;
  const Dense<S> left = Elimination<S>::Substituted(l, true, Identity<S>(n));
  const Dense<S> right = Elimination<S>::Substituted(u, false, Identity<S>(n));
  Parts<N> lu(StrictlyLower(l) + u, Sizes(n, n), Moved(l, u, left * InOrder(a.tangent, elimination.order) * right));
  if (!arithmetic.bounds) return lu;
  const Sizes size_l = Magnitudes(l), size_u = Magnitudes(u);
  const Sizes perturbed = Gamma<S>(n + 6) * (size_l * size_u) + InOrder(a.error, elimination.order);
  const Sizes m = Magnitudes(left) * perturbed * Magnitudes(right);
  const bool known = LargestRowSum(m) < 0.25 && Largest(size_u) < arithmetic.largest / 4;
  lu.error = 2.0 * Moved(size_l, size_u, m);
  for (double &error : lu.error.at) error = known ? error : INFINITY;
  return lu;
}

void Lu(OpContext &c) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.tensor(0).dtype(), index = c.attr<DType>("output_idx_type");
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto lu = MakeArray<N>(dtype, a.shape);
    auto p = MakeArray<Integer>(index, Concatenated(batch, Shape({RowsOf(c)})));
    for (int64_t i = 0; i < MatricesIn(a.shape, batch); ++i) {
      const Parts<N> matrix = MatrixAt(a, i);
      const Elimination<typename Parts<N>::S> elimination(matrix.value);
      Require(!elimination.IsSingular(), "Input is not invertible.");
      SetMatrix(lu, i, Factored(matrix, elimination));
      for (int64_t k = 0; k < RowsOf(c); ++k) p[i * RowsOf(c) + k] = elimination.order[static_cast<size_t>(k)];
    }
    c.Output(0, Store(lu));
    c.Output(1, Store(p));
  });
}

constexpr KernelRow kRows[] = {
    {"Lu", Lu},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgLu() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
