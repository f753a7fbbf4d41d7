// Elementary functions over the numbers of the reference: the value in double, the error of the argument carried
// through, `arithmetic.ulps` units of the result added, and the derivative by the chain rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "reference/numbers/number.h"

namespace plumb::reference {

// N4, in unit roundoffs of the type: the unit in the last place of v is at most two of them.
inline double ElementaryUnits() {
  const DType wide = AccumulatorOf(arithmetic.type);
  if (wide == arithmetic.type) return 2 * arithmetic.ulps;
  return 2 * arithmetic.narrow_ulps + 2 * arithmetic.ulps * UnitRoundoff(wide) / UnitRoundoff(arithmetic.type);
}

// A function that is monotone on [low, high]: over the interval that the argument may lie in it deviates most at an
// end.
template <class F>
Real Monotone(Real x, F f, double slope, double low = -INFINITY, double high = INFINITY) {
  const double v = f(x.v);
  double propagated = 0;
  if (x.e > 0) {
    const auto distance = [&](double end) { return f(end) == v ? 0 : std::fabs(f(end) - v); };
    const double above = distance(std::min(high, x.v + x.e)), below = distance(std::max(low, x.v - x.e));
    const bool unknown = std::isnan(above) || std::isnan(below) || x.e == INFINITY;
    propagated = unknown ? INFINITY : std::max(above, below);
  }
  return Rounded(v, propagated, Chain(slope, x.d), ElementaryUnits());
}

inline Real Exp(Real x) {
  return Monotone(
      x, [](double t) { return std::exp(t); }, std::exp(x.v));
}
inline Real Expm1(Real x) {
  return Monotone(
      x, [](double t) { return std::expm1(t); }, std::exp(x.v));
}
inline Real Log(Real x) {
  return Monotone(
      x, [](double t) { return std::log(t); }, 1 / x.v, 0);
}
inline Real Log1p(Real x) {
  return Monotone(
      x, [](double t) { return std::log1p(t); }, 1 / (1 + x.v), -1);
}
inline Real Sqrt(Real x) {
  return Monotone(
      x, [](double t) { return std::sqrt(t); }, 0.5 / std::sqrt(x.v), 0);
}
inline Real Rsqrt(Real x) {
  const double y = 1 / std::sqrt(x.v);
  return Monotone(
      x, [](double t) { return 1 / std::sqrt(t); }, -0.5 * y / x.v, 0);
}
inline Real Tanh(Real x) {
  const double y = std::tanh(x.v);
  return Monotone(
      x, [](double t) { return std::tanh(t); }, 1 - y * y);
}
inline double SigmoidOf(double t) { return t >= 0 ? 1 / (1 + std::exp(-t)) : std::exp(t) / (1 + std::exp(t)); }
inline Real Sigmoid(Real x) {
  const double y = SigmoidOf(x.v);
  return Monotone(x, SigmoidOf, y * (1 - y));
}
// |sin a − sin b| ≤ min(|a − b|, 2), likewise cos.
inline double Wave(double error) { return error == INFINITY ? INFINITY : std::min(error, 2.0); }
inline Real Sin(Real x) { return Rounded(std::sin(x.v), Wave(x.e), Chain(std::cos(x.v), x.d), ElementaryUnits()); }
inline Real Cos(Real x) { return Rounded(std::cos(x.v), Wave(x.e), Chain(-std::sin(x.v), x.d), ElementaryUnits()); }
// A y that may have either sign beside a negative x turns π into −π.
inline Real Atan2(Real y, Real x) {
  const double norm = x.v * x.v + y.v * y.v;
  const bool may_turn = x.v < 0 && y.e > 0 && std::fabs(y.v) <= y.e;
  const double angle = std::hypot(x.e, y.e) / std::max(0.0, std::sqrt(norm) - std::hypot(x.e, y.e));
  const double moved = may_turn || std::isnan(angle) ? 2 * M_PI : std::min(2 * angle, 2 * M_PI);
  const double propagated = x.e == 0 && y.e == 0 ? 0 : moved;
  return Rounded(std::atan2(y.v, x.v), propagated, Chain(x.v / norm, y.d) - Chain(y.v / norm, x.d), ElementaryUnits());
}

// xʸ is monotone in each argument while x > 0, so it deviates most at a corner; for other x also at x = 0.
inline Real Pow(Real x, Real y) {
  const double v = std::pow(x.v, y.v);
  double propagated = 0;
  if (x.e > 0 || y.e > 0) {
    for (const double a : {x.v - x.e, x.v + x.e}) {
      for (const double b : {y.v - y.e, y.v + y.e}) propagated = std::max(propagated, std::fabs(std::pow(a, b) - v));
    }
    if (std::fabs(x.v) <= x.e) propagated = std::max(propagated, std::fabs(std::pow(0.0, y.v) - v));
    if (std::isnan(std::pow(x.v - x.e, y.v - y.e))) propagated = INFINITY;
  }
  const double slope_x = y.v == 0 ? 0 : y.v * std::pow(x.v, y.v - 1);
  return Rounded(v, propagated, Chain(slope_x, x.d) + Chain(v * std::log(x.v), y.d), ElementaryUnits());
}

inline Real Abs(Real x) { return x.v < 0 || std::signbit(x.v) ? -x : x; }
// A step function: where the argument may cross a step, so may the result.
template <class F>
Real Step(Real x, F f) {
  const double v = f(x.v);
  if (x.e == INFINITY) return {v, INFINITY, 0};
  if (!(x.e > 0) || !std::isfinite(v)) return {v, 0, 0};
  return {v, std::max(std::fabs(f(x.v + x.e) - v), std::fabs(v - f(x.v - x.e))), 0};
}
inline Real Floor(Real x) {
  return Step(x, [](double t) { return std::floor(t); });
}
inline Real Sign(Real x) {
  return Step(x, [](double t) { return t > 0 ? 1.0 : t < 0 ? -1.0 : t == 0 ? 0.0 : t; });  // N19
}
// NaN wins (rule N12); of equal operands the first.
inline Real Max(Real a, Real b) {
  if (IsNan(a) || IsNan(b)) return IsNan(a) ? a : b;
  const Real& winner = a.v >= b.v ? a : b;
  return {winner.v, std::max(a.e, b.e), winner.d};
}
inline Real Min(Real a, Real b) {
  if (IsNan(a) || IsNan(b)) return IsNan(a) ? a : b;
  const Real& winner = a.v <= b.v ? a : b;
  return {winner.v, std::max(a.e, b.e), winner.d};
}
// `taken` where the condition on x holds, else zero; x decides by comparison with `threshold`.
inline Real TakenIf(bool condition, Real x, double threshold, Real taken) {
  const bool may_flip = x.e > 0 && std::fabs(x.v - threshold) <= x.e;
  if (!condition) return {0, may_flip ? std::fabs(taken.v) + taken.e : 0, 0};
  return {taken.v, may_flip ? std::fabs(taken.v) + taken.e : taken.e, taken.d};
}

constexpr Integer Max(Integer a, Integer b) { return a >= b ? a : b; }
constexpr Integer Min(Integer a, Integer b) { return a <= b ? a : b; }
constexpr Integer Abs(Integer a) { return a < 0 ? -a : a; }
constexpr Integer Sign(Integer a) { return (a > 0) - (a < 0); }

using Complex128 = std::complex<double>;
inline Complex128 ValueOf(Complex z) { return {z.re.v, z.im.v}; }
inline Complex128 TangentOf(Complex z) { return {z.re.d, z.im.d}; }

// An analytic function with derivative `slope` at z. Twice the first-order term stands for the higher ones.
inline Complex Analytic(Complex z, Complex128 w, Complex128 slope) {
  const double reach = std::hypot(z.re.e, z.im.e);
  const double propagated = reach == 0 ? 0 : 2 * std::abs(slope) * reach;
  const double own = ElementaryUnits() * arithmetic.unit * std::abs(w);
  const Complex128 d = TangentOf(z) == 0.0 ? 0.0 : slope * TangentOf(z);
  return {{w.real(), propagated + own, d.real()}, {w.imag(), propagated + own, d.imag()}};
}
inline Complex Exp(Complex z) {
  const Complex128 w = std::exp(ValueOf(z));
  return Analytic(z, w, w);
}
// Adds `units` of the unit roundoff to the bound of each part.
inline Complex Blurred(Complex z, double units) {
  const double e = std::isfinite(units) ? units * ElementaryUnits() * arithmetic.unit : INFINITY;
  const auto blur = [e](Real x) { return Real{x.v, std::isfinite(x.v) ? x.e + e : x.e, x.d}; };
  return {blur(z.re), blur(z.im)};
}
// |z| is rounded before its logarithm is taken, and 1 + z before that.
inline Complex Log(Complex z) { return Blurred(Analytic(z, std::log(ValueOf(z)), 1.0 / ValueOf(z)), 1); }
inline Complex Log1p(Complex z) {
  return Blurred(Analytic(z, std::log(1.0 + ValueOf(z)), 1.0 / (1.0 + ValueOf(z))), 2);
}
inline Complex Sqrt(Complex z) {
  const Complex128 w = std::sqrt(ValueOf(z));
  return Analytic(z, w, 0.5 / w);
}
inline Complex Rsqrt(Complex z) {
  const Complex128 w = 1.0 / std::sqrt(ValueOf(z));
  return Analytic(z, w, -0.5 * w / ValueOf(z));
}
inline Complex Tanh(Complex z) {
  const Complex128 w = std::tanh(ValueOf(z));
  return Analytic(z, w, 1.0 - w * w);
}
// As 1 / (1 + exp(-z)): near a pole the sum is small beside its terms, whose roundings come out multiplied by |w|.
inline Complex Sigmoid(Complex z) {
  const Complex128 power = std::exp(-ValueOf(z)), w = 1.0 / (1.0 + power);
  const double blur = std::abs(w) * (std::abs(w) * std::abs(power) + 1);
  return Blurred(Analytic(z, w, w * (1.0 - w)), std::isnan(blur) ? 0 : blur);
}
inline Complex Pow(Complex x, Complex y) {
  const Complex128 a = ValueOf(x), b = ValueOf(y), w = std::pow(a, b);
  const Complex in_base = Analytic(x, w, b * std::pow(a, b - 1.0));
  const Complex in_exponent = Analytic(y, w, w * std::log(a));
  const auto both = [](Real p, Real q) { return Real{p.v, p.e + q.e, p.d + q.d}; };
  // As exp(b log a): the roundings of b log a come out multiplied by the power.
  const double blur = b == 0.0 ? 0 : std::abs(w) * std::abs(b) * (std::abs(std::log(a)) + 1);
  return Blurred({both(in_base.re, in_exponent.re), both(in_base.im, in_exponent.im)}, std::isnan(blur) ? 0 : blur);
}
// z/|z|, and zero at zero.
inline Complex Sign(Complex z) {
  const double size = std::abs(ValueOf(z));
  if (size == 0) return {};
  const double propagated = 2 * std::hypot(z.re.e, z.im.e) / size, own = ElementaryUnits() * arithmetic.unit;
  return {{z.re.v / size, propagated + own, 0}, {z.im.v / size, propagated + own, 0}};
}

template <class N>
N Square(N x) {
  return x * x;
}

}  // namespace plumb::reference
