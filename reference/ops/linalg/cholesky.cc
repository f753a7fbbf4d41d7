// A = L·Lᴴ for Hermitian positive definite matrices, of which the lower triangle is read.
#include "reference/ops/lib/dense/cholesky.h"

#include "reference/ops/lib/dense/io.h"
#include "reference/ops/lib/dense/triangular.h"

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

// What stands in the place of a factor that is not there: NaN in the lower triangle, or zero where it is complex, of
// which C++ has no NaN (cholesky_op.cc).
template <class N>
Parts<N> NoFactor(int64_t n, double error) {
  Parts<N> none(n, n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      none.value(i, j) = std::is_same_v<N, Complex> ? 0 : NAN;
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
  MapSquares<Real, Complex>(c, [](const auto& a) { return Factored(a); });
}

// A product of matrices, in any order of its sums.
template <class N>
Parts<N> ProductOf(const Parts<N>& a, const Parts<N>& b) {
  using S = typename Parts<N>::S;
  const Sizes x = Magnitudes(a.value), y = Magnitudes(b.value);
  const Sizes error = Gamma<S>(x.columns + 1) * (x * y) + a.error * (y + b.error) + x * b.error;
  return {a.value * b.value, error, a.tangent * b.value + a.value * b.tangent};
}

// What the gradient of the factor L is of A, each element of a pair having its half: the mean of S and Sᴴ, where S =
// L⁻ᴴ·Φ(Lᴴ·dL)·L⁻¹ and Φ takes the lower triangle and half of the diagonal. Of L and dL the lower triangles are read.
template <class N>
Parts<N> FactorGradient(const Parts<N>& l, const Parts<N>& gradient) {
  using S = typename Parts<N>::S;
  const Parts<N> upper = TriangleOf(l, true, true);
  Parts<N> inner = ProductOf(upper, TriangleOf(gradient, true, false));
  inner = {HalfTriangle(inner.value), HalfTriangle(inner.error), HalfTriangle(inner.tangent)};
  const Parts<N> both = Substituted(upper, false, AdjointOf(Substituted(upper, false, inner)));
  const auto mean = [](const auto& a, auto half) { return half * (a + Adjoint(a)); };
  Sizes error = mean(both.error, 0.5) + Gamma<S>(2) * mean(Magnitudes(both.value), 0.5);
  return {mean(both.value, S(0.5)), std::move(error), mean(both.tangent, S(0.5))};
}

void CholeskyGrad(OpContext& c) {
  const Shape batch = BatchOfSquares(c);
  Require(c.tensor(0).shape() == c.tensor(1).shape(), "the factors ", c.tensor(0).shape().ToString(),
          " and their gradients ", c.tensor(1).shape().ToString(), " must have one shape");
  const DType dtype = c.tensor(0).dtype();
  ComputeIn(dtype);
  const auto l = Load<Real>(c.input(0)), gradient = Load<Real>(c.input(1));
  auto result = MakeArray<Real>(dtype, l.shape);
  for (int64_t i = 0; i < MatricesIn(l.shape, batch); ++i) {
    SetMatrix(result, i, FactorGradient(MatrixAt(l, i), MatrixAt(gradient, i)));
  }
  c.Output(0, Store(result));
}

constexpr KernelRow kRows[] = {
    {"Cholesky", Cholesky},
    {"BatchCholesky", Cholesky},
    {"CholeskyGrad", CholeskyGrad},
    {"BatchCholeskyGrad", CholeskyGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgCholesky() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
