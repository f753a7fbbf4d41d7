// Exponentials of square matrices: a series for a small part of each, which is squared.
#include "reference/ops/lib/dense/functions.h"
#include "reference/ops/lib/dense/io.h"
#include "reference/ops/lib/dense/spectra.h"

namespace plumb::reference {
namespace {

constexpr double kLargestNorm = 0x1p20;  // beyond it nothing is known but that numbers overflow

// How often a matrix of this norm is halved until it is a sixteenth at most.
int HalvingsFor(double norm) { return norm <= 0x1p-4 ? 0 : std::ilogb(norm) + 5; }

template <class S>
Dense<S> Series(const Dense<S>& x) {
  constexpr int kTerms = 14;  // of a sixteenth: the next one is below 2⁻⁹⁰
  Dense<S> term = Identity<S>(x.rows), sum = term;
  for (int k = 1; k <= kTerms; ++k) {
    term = S(1.0 / k) * (term * x);
    sum = sum + term;
  }
  return sum;
}

template <class S>
std::optional<Dense<S>> ExponentialOf(const Dense<S>& a) {
  const double norm = LargestSum(a);
  if (!(norm <= kLargestNorm)) return std::nullopt;
  const int halvings = HalvingsFor(norm);
  Dense<S> power = Series(S(std::ldexp(1.0, -halvings)) * a);
  for (int i = 0; i < halvings; ++i) power = power * power;
  return power;
}

// A conforming part X̂ of exp(X) is within γ·exp|X| of it, whatever quotient or series it comes from, and an X that is
// off by dX moves it by exp|X|·dX·exp|X| at most. A square of what is off by e is off by |X̂|·e + e·|X̂| and what is
// rounded; who halves less often squares less often, too.
template <class S>
Sizes ExponentialError(const Dense<S>& a, const Sizes& error) {
  const int halvings = HalvingsFor(LargestSum(a));
  const double scale = std::ldexp(1.0, -halvings);
  const Sizes moved = scale * error, hull = Series(scale * Magnitudes(a) + moved);
  Sizes off = Gamma<S>(8 * a.rows + 32) * hull + hull * moved * hull;
  Dense<S> power = Series(S(scale) * a);
  bool known = true;
  for (int i = 0; i < halvings; ++i) {
    const Sizes size = Magnitudes(power) + off;
    off = size * off + off * size + Gamma<S>(a.rows + 1) * (size * size);
    power = power * power;
    known = known && Largest(size) < arithmetic.largest / 4;
  }
  known = known && Largest(Magnitudes(power)) < arithmetic.largest / 4;
  if (!known) std::fill(off.at.begin(), off.at.end(), INFINITY);
  return off;
}

template <class N>
Parts<N> Exponential(const Parts<N>& a) {
  using S = typename Parts<N>::S;
  const int64_t n = a.value.rows;
  Parts<N> result(n, n);
  const std::optional<Dense<S>> value = IsFinite(a.value) ? ExponentialOf(a.value) : std::nullopt;
  if (!value) {
    std::fill(result.value.at.begin(), result.value.at.end(), S(NAN));
    std::fill(result.error.at.begin(), result.error.at.end(), INFINITY);
    return result;
  }
  result.value = *value;
  if (Largest(Magnitudes(a.tangent)) > 0) {
    const auto tangent = DerivativeAlong(a.value, a.tangent, ExponentialOf<S>);
    if (tangent) result.tangent = *tangent;
  }
  if (arithmetic.bounds) result.error = ExponentialError(a.value, a.error);
  return result;
}

void MatrixExponential(OpContext& c) {
  MapSquares<Real, Complex>(c, [](const auto& a) { return Exponential(a); });
}

constexpr KernelRow kRows[] = {
    {"MatrixExponential", MatrixExponential},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgExponential() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
