// Bessel functions by their integrals in long double: sums of the trapezoidal rule, which misses an integrand that is
// smooth and dies away on both sides by less than any power of its step.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

using Long = long double;

// exp(−kDead) is nothing beside what a double can hold of a sum.
constexpr Long kDead = 50;

// What integrals take at a point u: exp(−decay) times each value.
template <size_t n>
struct Point {
  Long decay;
  std::array<Long, n> values;
};

// The widest step, and sinh u/2 at u = 0, kStep, 2 kStep, …, as far as a double holds its square: most arguments ask
// for these.
constexpr Long kStep = 0.1L;
const std::vector<Long>& SinesOfHalves() {
  static const std::vector<Long> sines = [] {
    std::vector<Long> of;
    for (int i = 0; of.empty() || of.back() * of.back() < std::numeric_limits<double>::max(); ++i)
      of.push_back(std::sinh(i * kStep / 2));
    return of;
  }();
  return sines;
}

// The integrals over u ≥ 0 of what `at` says of each u, given sinh u/2, which is even, with values of no more than
// exp(u). The step has the integrand's width at zero, 1/√x, in a few parts: twice as many move no sum by more than long
// double rounds it.
template <class At>
auto HalfLine(Long x, At at) {
  const Long step = std::min(kStep, 0.3L / std::sqrt(x));
  const std::vector<Long>& known = SinesOfHalves();
  auto sums = at(Long(0)).values;
  for (Long& sum : sums) sum /= 2;
  for (size_t i = 1;; ++i) {
    const Long u = static_cast<Long>(i) * step;
    const auto point = at(step == kStep && i < known.size() ? known[i] : std::sinh(u / 2));
    if (!(point.decay < kDead + u)) break;
    const Long weight = std::exp(-point.decay);
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += weight * point.values[k];
  }
  for (Long& sum : sums) sum *= step;
  return sums;
}

// ---- J and Y -------------------------------------------------------------------------------------------------------

// J + iY of x > 0 is exp(−inπ/2)/iπ times the integral of exp(ix cosh t − nt) along the path t = u + iv with cos v =
// 1/cosh u (DLMF 10.9.10), on which nothing oscillates: ix cosh t = ix − x sinh u tanh u. Each part of what remains is
// of one sign.
struct Pair {
  double j, y;
};
// Orders 0 and 1, whose paths are the same.
std::array<Pair, 2> Waves(double of) {
  if (std::isnan(of) || std::isinf(of)) {  // TensorFlow: an infinite angle has no cosine
    return {{{NAN, NAN}, {NAN, NAN}}};
  }
  const Long x = of;
  const auto [sine0, cosine0, sine1, cosine1] = HalfLine(x, [x](Long of_half) {
    const Long cosh = 1 + 2 * of_half * of_half, sinh = 2 * of_half * std::sqrt(1 + of_half * of_half);
    return Point<4>{x * sinh * sinh / cosh, {1, 1 / cosh, cosh, -1 / (cosh * cosh)}};
  });
  const Long scale = 2 / static_cast<Long>(M_PIl), cos = std::cos(x), sin = std::sin(x);
  const auto pair = [&](Long a, Long b) {
    return Pair{static_cast<double>(scale * (a * cos + b * sin)), static_cast<double>(scale * (a * sin - b * cos))};
  };
  return {pair(cosine0, sine0), pair(cosine1, sine1)};
}

// Σ (−1)ᵏ (x/2)^(2k+1) / (k! (k+1)!), where J₁ is small beside the integrals.
double SeriesJ1(double of) {
  const Long half = static_cast<Long>(of) / 2;
  Long term = 1, sum = 1;
  for (int k = 1; k < 20; ++k) {
    term *= -half * half / (k * (k + 1));
    sum += term;
  }
  return static_cast<double>(half * sum);
}

// J₀ and J₁ of x.
std::array<double, 2> JsOf(double x) {
  const double size = std::fabs(x);
  if (x == 0) return {1, x / 2};
  const auto [zero, one] = Waves(size);
  return {zero.j, size < 1 ? SeriesJ1(x) : std::copysign(1.0, x) * one.j};
}
// Y₀ and Y₁ of x. As in TensorFlow the poles at zero reach below it, where there are no values.
std::array<double, 2> YsOf(double x) {
  if (x <= 0) return {-INFINITY, -INFINITY};
  const auto [zero, one] = Waves(x);
  return {zero.y, one.y};
}

// √(2/πx), the height of the waves, and at most `near`, what the function has beside a pole at zero.
double Height(double x, double near) { return std::min(near, std::sqrt(M_2_PI / std::fabs(x))); }

// Near its zeros an implementation errs by units of the height of the waves; far out its angle, x less a part of π, is
// rounded in the type that it computes in.
Real Oscillating(Real x, double v, double carried, double height, double slope) {
  const double angle = UnitRoundoff(AccumulatorOf(arithmetic.type)) * std::fabs(x.v);
  const double own = (ElementaryUnits() * arithmetic.unit + std::min(angle, 2.0)) * height;
  return Rounded(v, carried + (x.v == 0 ? 0 : own), Chain(slope, x.d), ElementaryUnits());
}

// Whether half of x is none but zero (N6), where a series in powers and the logarithm of it has no value.
bool IsBesidePole(double x) { return 0 < x && x < 2 * SmallestNormal(AccumulatorOf(arithmetic.type)); }

// J₀ and J₁ have no slope above 1 and differ by no more than 2.
Real BesselJ0(Real x) {
  const auto [v, next] = JsOf(x.v);
  return Oscillating(x, v, Wave(x.e), Height(x.v, 1), -next);
}
Real BesselJ1(Real x) {
  const auto [before, v] = JsOf(x.v);
  const double slope = x.v == 0 ? 0.5 : before - v / x.v;
  return Oscillating(x, v, Wave(x.e), Height(x.v, std::fabs(x.v) / 2), slope);
}

// √(J² + Y²) falls (DLMF 10.9.30): the slopes are steepest at the inner end of the bound.
double Modulus(Pair of) { return std::hypot(of.j, of.y); }
double CarriedFromPole(Real x, double (*steepest)(double)) {
  if (IsBesidePole(x.v)) return INFINITY;
  if (x.e == 0) return 0;
  return x.v > x.e ? x.e * steepest(x.v - x.e) : INFINITY;
}
Real BesselY0(Real x) {
  const auto steepest = [](double inner) { return Modulus(Waves(inner)[1]); };
  const auto [v, next] = YsOf(x.v);
  return Oscillating(x, v, CarriedFromPole(x, steepest), Height(x.v, 1), -next);
}
Real BesselY1(Real x) {
  const auto steepest = [](double inner) {
    const auto [zero, one] = Waves(inner);
    return Modulus(zero) + Modulus(one) / inner;
  };
  const auto [before, v] = YsOf(x.v);
  // In float32 a series may multiply zero by infinity at the pole.
  if (x.v == 0 && AccumulatorOf(arithmetic.type) == DType::kFloat) return {v, INFINITY, Chain(INFINITY, x.d)};
  return Oscillating(x, v, CarriedFromPole(x, steepest), Height(x.v, 1), before - v / x.v);
}

// ---- K -------------------------------------------------------------------------------------------------------------

// exp(x) Kₙ(x) = ∫ exp(−x (cosh u − 1)) cosh nu du for n = 0 and 1 (DLMF 10.32.9), times exp(−x) unless it is asked for
// as it is.
std::array<double, 2> KsOf(double of, bool scaled) {
  if (of <= 0) return {INFINITY, INFINITY};  // as of Y
  if (std::isnan(of)) return {NAN, NAN};
  if (of == INFINITY) return {0, 0};
  const Long x = of;
  const auto [zero, one] = HalfLine(x, [x](Long of_half) {
    const Long less = 2 * of_half * of_half;  // cosh u − 1
    return Point<2>{x * less, {1, 1 + less}};
  });
  const Long scale = scaled ? 1 : std::exp(-x);
  return {static_cast<double>(scale * zero), static_cast<double>(scale * one)};
}

// All four fall.
template <int order, bool scaled>
Real BesselK(Real x) {
  const auto values = KsOf(x.v, scaled);
  const double v = values[order], other = values[1 - order];
  const double slope = (scaled ? v : 0) - other - (order == 1 ? v / x.v : 0);
  if (IsBesidePole(x.v)) return {v, INFINITY, Chain(slope, x.d)};
  return Monotone(
      x, [](double t) { return KsOf(t, scaled)[order]; }, slope, 0);
}

constexpr KernelRow kRows[] = {
    {"BesselJ0", [](OpContext& c) { Unary<Real>(c, BesselJ0); }},
    {"BesselJ1", [](OpContext& c) { Unary<Real>(c, BesselJ1); }},
    {"BesselY0", [](OpContext& c) { Unary<Real>(c, BesselY0); }},
    {"BesselY1", [](OpContext& c) { Unary<Real>(c, BesselY1); }},
    {"BesselK0", [](OpContext& c) { Unary<Real>(c, BesselK<0, false>); }},
    {"BesselK1", [](OpContext& c) { Unary<Real>(c, BesselK<1, false>); }},
    {"BesselK0e", [](OpContext& c) { Unary<Real>(c, BesselK<0, true>); }},
    {"BesselK1e", [](OpContext& c) { Unary<Real>(c, BesselK<1, true>); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathBessel() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
