// A = L·Lᴴ for Hermitian positive definite matrices, of which the lower triangle is read.
#include "reference/ops/lib/dense_cholesky.h"
#include "reference/ops/lib/dense_io.h"

namespace plumb::reference {
namespace {

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
  return {l, arithmetic.bounds ? FactorError(l, a.error) : Sizes(l.rows, l.rows), FactorTangent(l, a.tangent)};
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
