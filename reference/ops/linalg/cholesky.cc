// A = L·Lᴴ for Hermitian positive definite matrices, of which the lower triangle is read.
#include "reference/ops/lib/dense_io.h"

namespace plumb::reference {
namespace {

template <class S>
Dense<S> Hermitian(const Dense<S>& a) {
  Dense<S> hermitian = Triangle(a, true);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < i; ++j) hermitian(j, i) = Conjugated(a(i, j));
  }
  return hermitian;
}

inline double RealPart(double x) { return x; }
inline double RealPart(std::complex<double> z) { return z.real(); }

// The factor's rows and columns before `failed`, the first pivot that is not positive; n where all are.
template <class S>
struct Factor {
  Dense<S> l;
  int64_t failed;
  double pivot = 0;  // the one that is not positive
};

template <class S>
Factor<S> Factorized(const Dense<S>& a) {
  Factor<S> factor{Dense<S>(a.rows, a.rows), a.rows};
  Dense<S>& l = factor.l;
  for (int64_t j = 0; j < a.rows; ++j) {
    double pivot = RealPart(a(j, j));
    for (int64_t k = 0; k < j; ++k) pivot -= std::norm(l(j, k));
    if (pivot <= 0) {
      factor.failed = j;
      factor.pivot = pivot;
      return factor;
    }
    l(j, j) = std::sqrt(pivot);
    for (int64_t i = j + 1; i < a.rows; ++i) {
      l(i, j) = a(i, j);
      for (int64_t k = 0; k < j; ++k) l(i, j) -= l(i, k) * Conjugated(l(j, k));
      l(i, j) /= l(j, j);
    }
  }
  return factor;
}

// Half of the diagonal, and what is below it.
template <class S>
Dense<S> HalfTriangle(Dense<S> a) {
  for (int64_t i = 0; i < a.rows; ++i) a(i, i) *= 0.5;
  return Triangle(std::move(a), true);
}

// A conforming factor is that of A + δA with |δA| ≤ γₙ₊₁·|L|·|Lᴴ| (Higham, theorem 10.3). With M = L⁻¹·δA·L⁻ᴴ, L
// moves by L·Φ(M) to first order, where Φ takes the lower triangle and half of the diagonal; as long as ‖M‖ is below a
// quarter, all higher orders are less than that once more.
template <class S>
Sizes FactorError(const Dense<S>& l, const Sizes& error) {
  const Sizes size = Magnitudes(l), inverse = Magnitudes(Elimination<S>::Substituted(l, true, Identity<S>(l.rows)));
  const Sizes perturbed = Gamma<S>(l.rows + 3) * (size * Adjoint(size)) + Hermitian(error);
  const Sizes moved = inverse * perturbed * Adjoint(inverse);
  const bool known = LargestRowSum(moved) < 0.25 && Largest(perturbed) < arithmetic.largest;
  Sizes bound = 2.0 * (size * HalfTriangle(moved));
  for (int64_t i = 0; i < l.rows; ++i) {
    for (int64_t j = 0; j <= i && !known; ++j) bound(i, j) = INFINITY;
  }
  return bound;
}

// Whether every conforming elimination meets a pivot that is not positive, in A or in an A + δA as above. The pivot is
// vᴴ·A·v with v = (−w, 1), where w solves the equations of the rows before; δA moves it by |v|ᴴ·|δA|·|v| to first
// order.
template <class S>
bool SurelyFails(const Factor<S>& factor, const Sizes& error) {
  const int64_t n = factor.failed;
  Dense<S> leading(n, n), row(n, 1);
  Sizes sizes(n + 1, n + 1), v(n + 1, 1);
  for (int64_t i = 0; i < n; ++i) {
    row(i, 0) = Conjugated(factor.l(n, i));
    for (int64_t j = 0; j < n; ++j) leading(i, j) = factor.l(i, j);
    for (int64_t j = 0; j <= i; ++j) sizes(i, j) = std::abs(factor.l(i, j));
    sizes(n, i) = std::abs(factor.l(n, i));
  }
  const Sizes w = Magnitudes(Elimination<S>::Substituted(Adjoint(leading), false, row));
  for (int64_t i = 0; i < n; ++i) v(i, 0) = w(i, 0);
  v(n, 0) = 1;
  Sizes moved = Gamma<S>(n + 4) * (sizes * Adjoint(sizes));
  const Sizes errors = Hermitian(error);
  for (int64_t i = 0; i <= n; ++i) {
    for (int64_t j = 0; j <= n; ++j) moved(i, j) += errors(i, j);
  }
  return factor.pivot < -2 * (Adjoint(v) * (moved * v))(0, 0);
}

// What stands in the place of a factor that is not there: NaN in the lower triangle.
template <class N>
Parts<N> NoFactor(int64_t n, double error) {
  Parts<N> none(n, n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      none.value(i, j) = NAN;
      none.error(i, j) = error;
    }
  }
  return none;
}

template <class N>
Parts<N> Factored(const Parts<N>& a) {
  using S = typename Parts<N>::S;
  const Factor<S> factor = Factorized(a.value);
  const Dense<S>& l = factor.l;
  if (factor.failed < l.rows) return NoFactor<N>(l.rows, SurelyFails(factor, a.error) ? 0 : INFINITY);
  const auto solved = [&](const Dense<S>& b) { return Elimination<S>::Substituted(l, true, b); };
  // L⁻¹·dA·L⁻ᴴ is Hermitian as dA is.
  const Dense<S> moved = solved(Adjoint(solved(Hermitian(a.tangent))));
  return {l, arithmetic.bounds ? FactorError(l, a.error) : Sizes(l.rows, l.rows), l * HalfTriangle(moved)};
}

void Cholesky(OpContext& c) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto l = MakeArray<N>(dtype, a.shape);
    for (int64_t i = 0; i < MatricesIn(a.shape, batch); ++i) SetMatrix(l, i, Factored(MatrixAt(a, i)));
    c.Output(0, Store(l));
  });
}

constexpr KernelRow kRows[] = {
    {"Cholesky", Cholesky},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgCholesky() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
