// Roots, exponentials, logarithms and powers.
#include <algorithm>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// An elementary function is defined on real and complex numbers.
#define PLUMB_ELEMENTARY(function) [](OpContext& c) { Unary<Real, Complex>(c, [](auto x) { return function(x); }); }

Integer Pow(Integer x, Integer y) {
  Require(y >= 0, "an integer to a negative integer power is no integer");
  Integer result = 1;
  for (Integer base = x; y > 0; y = y / 2, base = base * base) {
    if (y % 2 != 0) result = result * base;
  }
  return result;
}

template <class N>
N TimesHalf(N x) {
  return x * N(Real(0.5));
}

// From its parts, which do not cancel near zero: expm1(x)·cos y − 2·sin²(y/2), and exp(x)·sin y.
Complex Expm1(Complex z) {
  const double x = z.re.v, y = z.im.v, half = std::sin(y / 2);
  const double re = std::expm1(x) * std::cos(y) - 2 * half * half;
  const Complex128 slope = std::exp(ValueOf(z));
  return Blurred(Analytic(z, {re, slope.imag()}, slope), std::abs(slope) + 1);
}

bool IsNan(Complex z) { return IsNan(z.re) || IsNan(z.im); }

// N18: a gradient of zero stays zero, whatever it is divided by or multiplied with. One that its bound lets be another
// number may become any.
Real ZeroFor(Real dy) { return {0, dy.e > 0 ? INFINITY : 0, 0}; }
Complex ZeroFor(Complex dy) {
  const Real part = ZeroFor(Real(0, std::max(dy.re.e, dy.im.e), 0));
  return {part, part};
}
template <class N>
N NoNan(N dy, N result) {
  return dy == N(0) && IsNan(result) ? ZeroFor(dy) : result;
}
template <class N>
N SqrtGradient(N y, N dy) {
  return NoNan(dy, TimesHalf(dy) / Conj(y));
}
template <class N>
N RsqrtGradient(N y, N dy) {
  return NoNan(dy, -TimesHalf(Conj(y) * dy) * Square(Conj(y)));
}

constexpr KernelRow kRows[] = {
    {"Sqrt", PLUMB_ELEMENTARY(Sqrt)},
    {"SqrtGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return SqrtGradient(y, dy); }); }},
    {"Rsqrt", PLUMB_ELEMENTARY(Rsqrt)},
    {"RsqrtGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return RsqrtGradient(y, dy); }); }},
    {"Exp", PLUMB_ELEMENTARY(Exp)},
    {"Expm1", PLUMB_ELEMENTARY(Expm1)},
    {"Log", PLUMB_ELEMENTARY(Log)},
    {"Log1p", PLUMB_ELEMENTARY(Log1p)},
    {"Pow", [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return Pow(x, y); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathElementary() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
