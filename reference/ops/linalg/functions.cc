// Functions of square matrices.
#include "reference/ops/lib/dense/functions.h"

#include "reference/ops/lib/dense/io.h"
#include "reference/ops/lib/dense/spectra.h"

namespace plumb::reference {
namespace {

// A conforming algorithm gives f(A + δA), and rounds as often as a product of matrices does on the way from it. δA is
// what Schur's decomposition leaves, and what the root R of its triangle does: R̂² = T + δT with |δT| ≤ γ·|R̂|², which is
// beyond ‖T‖ where A is far from normal (Björck and Hammarling, A Schur method for the square root of a matrix). An
// error that is a part of f(A), or of `least` where that is more, is none of first order: nothing is known.
template <class N, class F>
Parts<N> FunctionOf(const Parts<N>& a, double least, F f) {
  using S = typename Parts<N>::S;
  const int64_t n = a.value.rows;
  Parts<N> result(n, n);
  const std::optional<Dense<S>> value = IsFinite(a.value) ? f(a.value) : std::nullopt;
  if (!value) {
    std::fill(result.value.at.begin(), result.value.at.end(), S(NAN));
    std::fill(result.error.at.begin(), result.error.at.end(), INFINITY);
    return result;
  }
  result.value = *value;
  const double size = Largest(Magnitudes(a.tangent));
  if (size > 0) {
    const auto tangent = DerivativeAlong(a.value, a.tangent, f);
    result.tangent = tangent ? *tangent : Dense<S>(n, n);
  }
  if (!arithmetic.bounds) return result;
  const Sizes sizes = Magnitudes(a.value);
  const std::optional<Dense<S>> root = SquareRootOf(a.value);
  const double norm = root ? FrobeniusNorm(Magnitudes(*root)) : INFINITY, step = SpectralStep<S>(n, n);
  const double moved = SpectralError(sizes, a.error, step) + step * norm * norm;
  Sizes perturbed(n, n);
  std::fill(perturbed.at.begin(), perturbed.at.end(), moved);
  const double scale = FrobeniusNorm(Magnitudes(*value)), own = Gamma<S>(16 * n + 64) * std::max(scale, least);
  result.error = FunctionError(a.value, perturbed, f);
  const bool known = Largest(result.error) < 0.25 * std::max(scale, least) && scale < arithmetic.largest / 4;
  for (double& error : result.error.at) error = known ? error + own : INFINITY;
  return result;
}

void MatrixSquareRoot(OpContext& c) {
  const auto root = [](const auto& a) { return SquareRootOf(a); };
  MapSquares<Real, Complex>(c, [&](const auto& a) { return FunctionOf(a, 0, root); });
}
void MatrixLogarithm(OpContext& c) {
  const auto logarithm = [](const auto& a) { return LogarithmOf(a); };
  MapSquares<Complex>(c, [&](const auto& a) { return FunctionOf(a, 1, logarithm); });
}

constexpr KernelRow kRows[] = {
    {"MatrixLogarithm", MatrixLogarithm},
    {"MatrixSquareRoot", MatrixSquareRoot},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgFunctions() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
