// Determinants by elimination: the product of the pivots, whose logarithms are added up, and the sign of it all.
#include "reference/ops/lib/dense/io.h"

namespace plumb::reference {
namespace {

// sign·exp(log) with what is known of both.
template <class S>
struct LogDeterminant {
  S sign = 1;
  double log = 0;
  S slope = 0;            // derivative of the logarithm, which is complex where the sign turns
  double relative = 0;    // how far the determinant may be off, as a part of itself; infinite: nothing is known
  double log_rounds = 0;  // error of the logarithm through the logarithms that are added up
};

// The rows of A + δA, |δA| ≤ `matrix`, are those of (I + M)·A with |M| ≤ |δA|·|A⁻¹|. A determinant is linear in each
// row, so that |det(I + M) − 1| ≤ Π(1 + rᵢ) − 1 for the row sums rᵢ of |M|.
double DeterminantError(const Sizes& matrix, const Sizes& inverse) {
  const Sizes moved = matrix * inverse;
  double log_product = 0;
  for (int64_t i = 0; i < moved.rows; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < moved.columns; ++j) sum += moved(i, j);
    log_product += std::log1p(sum);
  }
  return std::isnan(log_product) ? INFINITY : std::expm1(log_product);
}

template <class N>
LogDeterminant<typename Parts<N>::S> LogDeterminantOf(const Parts<N>& a) {
  using S = typename Parts<N>::S;
  LogDeterminant<S> result;
  const int64_t n = a.value.rows;
  const Elimination<S> elimination(a.value);
  result.sign = elimination.odd ? -1 : 1;
  double logs = 0;
  for (int64_t i = 0; i < n; ++i) {
    const S pivot = elimination.u(i, i);
    result.log += std::log(std::abs(pivot));
    logs += std::fabs(std::log(std::abs(pivot)));
    result.sign *= pivot / std::abs(pivot);
  }
  if (!std::isfinite(result.log)) {  // as TensorFlow answers: singular, too large, or not a number
    result = {0, result.log > 0 ? INFINITY : -INFINITY, S(NAN), INFINITY, INFINITY};
    return result;
  }
  const Dense<S> inverse = elimination.Solved(Identity<S>(n));
  const Dense<S> moved = inverse * a.tangent;
  for (int64_t i = 0; i < n; ++i) result.slope += moved(i, i);
  result.log_rounds = static_cast<double>(n + 4) * arithmetic.unit * logs;
  const Sizes sizes = elimination.FactorSizes();
  const Sizes perturbed = Gamma<S>(n + 2) * sizes + a.error;
  result.relative = Largest(sizes) < arithmetic.largest ? DeterminantError(perturbed, Magnitudes(inverse)) : INFINITY;
  return result;
}

inline double RealPart(double x) { return x; }
inline double RealPart(std::complex<double> z) { return z.real(); }

// As the sign times the exponential of the logarithm, whose error comes out as a part of the result.
template <class N>
N Determinant(const Parts<N>& a) {
  const auto log = LogDeterminantOf(a);
  const auto value = log.sign * std::exp(log.log);
  const double rounds = std::expm1(log.log_rounds) + Gamma<typename Parts<N>::S>(a.value.rows + 4);
  const double error = std::abs(value) * (log.relative + rounds + log.relative * rounds);
  return NumberOf(value, log.relative == INFINITY ? INFINITY : error, value * log.slope);
}

void MatrixDeterminant(OpContext& c) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto determinants = MakeArray<N>(dtype, batch);
    for (int64_t i = 0; i < batch.elements(); ++i) determinants[i] = Determinant(MatrixAt(a, i));
    c.Output(0, Store(determinants));
  });
}

// Real signs jump: they are exact, or unknown. Complex ones lie on a circle.
double SignError(double, double relative, double) { return relative < 1 ? 0 : INFINITY; }
double SignError(std::complex<double>, double relative, double rounds) {
  return relative < 1 ? 2 * relative + rounds : INFINITY;
}

void LogMatrixDeterminant(OpContext& c) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    using S = typename Parts<N>::S;
    const auto a = Load<N>(c.input(0));
    auto signs = MakeArray<N>(dtype, batch), logs = MakeArray<N>(dtype, batch);
    for (int64_t i = 0; i < batch.elements(); ++i) {
      const auto log = LogDeterminantOf(MatrixAt(a, i));
      const double rounds = Gamma<S>(2 * RowsOf(c) + 2), slope = RealPart(log.slope);
      const double error = log.relative < 1 ? -std::log1p(-log.relative) + log.log_rounds : INFINITY;
      signs[i] = NumberOf(log.sign, SignError(log.sign, log.relative, rounds), log.sign * (log.slope - slope));
      logs[i] = N(Real{log.log, KnownError(log.log, error), slope});
    }
    c.Output(0, Store(signs));
    c.Output(1, Store(logs));
  });
}

constexpr KernelRow kRows[] = {
    {"LogMatrixDeterminant", LogMatrixDeterminant},
    {"MatrixDeterminant", MatrixDeterminant},
    {"BatchMatrixDeterminant", MatrixDeterminant},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgDeterminant() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
