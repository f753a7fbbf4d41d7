// Least squares by normal equations, or by singular values.
#include "reference/ops/lib/dense/cholesky.h"
#include "reference/ops/lib/dense/io.h"

namespace plumb::reference {
namespace {

// A·Aᴴ + λI, and how far a conforming factor's product is from it: sums of A's columns, λ rounded and added, and the
// factor's own steps, |L|·|Lᴴ| ≤ √(d(i)·d(j)) with the diagonal d, as |A|·|Aᴴ| is (Higham, Accuracy and Stability of
// Numerical Algorithms, theorem 10.3).
template <class S>
struct Normal {
  Dense<S> factor;
  Sizes inverse, moved;

  Normal(const Dense<S>& a, const Sizes& error, double lambda) : moved(a.rows, a.rows) {
    Dense<S> gram = a * Adjoint(a);
    for (int64_t i = 0; i < a.rows; ++i) gram(i, i) += lambda;
    const Factor<S> found = Factorized(gram);
    Require(found.failed == a.rows,
            "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a larger "
            "l2_regularizer > 0.");
    factor = found.l;
    const Sizes size = Magnitudes(a);
    const double step = Gamma<S>(a.columns + 4 * a.rows + 16);
    const Sizes carried = (size + error) * Adjoint(error) + error * Adjoint(size);
    for (int64_t i = 0; i < a.rows; ++i) {
      for (int64_t j = 0; j < a.rows; ++j) {
        const double d = std::sqrt(RealPart(gram(i, i))) * std::sqrt(RealPart(gram(j, j)));
        const bool overflows = !(d < arithmetic.largest / 4);
        moved(i, j) =
            overflows ? INFINITY : step * d + carried(i, j) + static_cast<double>(a.columns + 1) * arithmetic.tiny;
      }
    }
    inverse = Magnitudes(Solved(Identity<S>(a.rows)));
  }
  Dense<S> Solved(const Dense<S>& side) const {
    const Dense<S> half = Elimination<S>::Substituted(factor, true, side);
    return Elimination<S>::Substituted(Adjoint(factor), false, half);
  }
};

// How far a conforming product of A and B is from A·B.
template <class S>
Sizes ProductError(const Sizes& a, const Sizes& a_error, const Sizes& b, const Sizes& b_error) {
  const double step = Gamma<S>(a.columns + 2);
  return step * (a * b) + a_error * (b + b_error) + a * b_error;
}

// (AᴴA + λI)·X = Aᴴ·B.
template <class N>
Parts<N> SolvedTall(const Parts<N>& a, const Parts<N>& b, double lambda) {
  using S = typename Parts<N>::S;
  const Dense<S> adjoint = Adjoint(a.value), moved = Adjoint(a.tangent);
  const Sizes error = Adjoint(a.error), size = Magnitudes(adjoint);
  const Normal<S> normal(adjoint, error, lambda);
  const Dense<S> x = normal.Solved(adjoint * b.value);
  const Dense<S> side = moved * b.value + adjoint * b.tangent - (moved * (a.value * x) + adjoint * (a.tangent * x));
  const Sizes right = ProductError<S>(size, error, Magnitudes(b.value), b.error);
  return {x, SolutionError(normal.inverse, normal.moved, Magnitudes(x), right), normal.Solved(side)};
}

// X = Aᴴ·W with (AAᴴ + λI)·W = B.
template <class N>
Parts<N> SolvedWide(const Parts<N>& a, const Parts<N>& b, double lambda) {
  using S = typename Parts<N>::S;
  const Dense<S> adjoint = Adjoint(a.value), moved = Adjoint(a.tangent);
  const Normal<S> normal(a.value, a.error, lambda);
  const Dense<S> w = normal.Solved(b.value);
  const Dense<S> dw = normal.Solved(b.tangent - (a.tangent * (adjoint * w) + a.value * (moved * w)));
  const Sizes w_error = SolutionError(normal.inverse, normal.moved, Magnitudes(w), b.error);
  return {adjoint * w, ProductError<S>(Magnitudes(adjoint), Adjoint(a.error), Magnitudes(w), w_error),
          moved * w + adjoint * dw};
}

// The least X with the least ‖A·X − B‖: A⁺·B, singular values below the rounding of the largest taken for zero. A⁺
// moves by 2‖A⁺‖²·‖δA‖ at most where its rank stays (Wedin); whether it does is unclear where a value that counts is
// near one that does not.
template <class N>
Parts<N> SolvedByRank(const Parts<N>& a, const Parts<N>& b) {
  using S = typename Parts<N>::S;
  const int64_t m = a.value.rows, n = a.value.columns, count = std::min(m, n), k = b.value.columns;
  Parts<N> result(n, k);
  if (!IsFinite(a.value)) {
    std::fill(result.value.at.begin(), result.value.at.end(), S(NAN));
    std::fill(result.error.at.begin(), result.error.at.end(), INFINITY);
    return result;
  }
  const Singular<S> singular(a.value, count, count);
  const double moved = SpectralError(Magnitudes(a.value), a.error, SpectralStep<S>(m, n));
  const double rounding = std::max(arithmetic.unit, 0x1p-53), most = count == 0 ? 0 : singular.values[0];
  Dense<S> projected = Adjoint(singular.u) * b.value;
  double least = INFINITY, dropped = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = singular.values[static_cast<size_t>(i)];
    const bool counts = value > 2 * rounding * static_cast<double>(count) * most;
    (counts ? least : dropped) = value;
    for (int64_t j = 0; j < k; ++j) projected(i, j) = counts ? projected(i, j) / value : S(0);
  }
  result.value = singular.v * projected;
  const double inverse = 1 / least, change = 2 * inverse * inverse * (moved + dropped);
  const bool known = dropped <= moved && least > 4 * moved;
  for (int64_t j = 0; j < k; ++j) {
    const double side = ColumnNorm(b.value, j), error = ColumnNorm(b.error, j);
    const double step = (inverse + change) * (error + Gamma<S>(8 * m * n + 8) * side) + change * side;
    for (int64_t i = 0; i < n; ++i) result.error(i, j) = known && std::isfinite(step) ? step : INFINITY;
  }
  return result;
}

void MatrixSolveLs(OpContext& c) {
  const Shape batch = BatchOf(c), right = BatchOf(c, 1);
  Require(batch == right && RowsOf(c) == RowsOf(c, 1), "the matrices ", c.tensor(0).shape().ToString(),
          " and the right-hand sides ", c.tensor(1).shape().ToString(), " do not fit");
  Require(c.tensor(2).rank() == 0, "l2_regularizer must be a scalar, not of shape ", c.tensor(2).shape().ToString());
  const double lambda = c.tensor(2).data<double>()[0];
  Require(lambda >= 0, "l2_regularizer must not be negative, but is ", lambda);
  const DType dtype = c.tensor(0).dtype();
  const int64_t m = RowsOf(c), n = ColumnsOf(c);
  const bool fast = c.attr<bool>("fast");
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0)), b = Load<N>(c.input(1));
    auto x = MakeArray<N>(dtype, Concatenated(batch, Shape({n, ColumnsOf(c, 1)})));
    for (int64_t i = 0; m > 0 && i < MatricesIn(x.shape, batch); ++i) {
      const auto matrix = MatrixAt(a, i), side = MatrixAt(b, i);
      SetMatrix(x, i,
                !fast    ? SolvedByRank(matrix, side)
                : m >= n ? SolvedTall(matrix, side, lambda)
                         : SolvedWide(matrix, side, lambda));
    }
    c.Output(0, Store(x));
  });
}

constexpr KernelRow kRows[] = {
    {"MatrixSolveLs", MatrixSolveLs},
    {"BatchMatrixSolveLs", MatrixSolveLs},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgLeastSquares() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
