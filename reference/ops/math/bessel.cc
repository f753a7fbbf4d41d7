// Bessel functions by their integrals in long double: sums of the trapezoidal rule, which misses an integrand that is
// smooth and dies away on both sides by less than any power of its step.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

using Long = long double;

// exp(−kDead) is nothing beside what a double can hold of a sum.
constexpr Long kDead = 50;

// ∫ exp(−decay(u)) f(u) du over u ≥ 0, both even, f of no more than exp(u). The step has the integrand's width at zero,
// 1/√x, in a few parts.
template <class Decay, class F>
Long HalfLine(Long x, Decay decay, F f) {
  const Long step = std::min<Long>(0.0625L, 0.25L / std::sqrt(x));
  Long sum = f(Long(0)) / 2;
  for (Long u = step; decay(u) < kDead + u; u += step) sum += std::exp(-decay(u)) * f(u);
  return sum * step;
}

// ---- J and Y -------------------------------------------------------------------------------------------------------

// J + iY of x > 0 is exp(−inπ/2)/iπ times the integral of exp(ix cosh t − nt) along the path t = u + iv with cos v =
// 1/cosh u (DLMF 10.9.10), on which nothing oscillates: ix cosh t = ix − x sinh u tanh u. Each part of what remains is
// of one sign.
struct Pair {
  double j, y;
};
template <class Cosine, class Sine>
Pair Hankel(double of, Cosine with_cosine, Sine with_sine) {
  if (std::isnan(of) || std::isinf(of)) return {NAN, NAN};  // TensorFlow: an infinite angle has no cosine
  const Long x = of;
  const auto decay = [x](Long u) { return x * std::sinh(u) * std::tanh(u); };
  const Long a = HalfLine(x, decay, with_cosine), b = HalfLine(x, decay, with_sine);
  const Long scale = 2 / static_cast<Long>(M_PIl), cos = std::cos(x), sin = std::sin(x);
  return {static_cast<double>(scale * (a * cos + b * sin)), static_cast<double>(scale * (a * sin - b * cos))};
}
Pair Order0(double x) {
  return Hankel(
      x, [](Long u) { return 1 / std::cosh(u); }, [](Long) { return Long(1); });
}
Pair Order1(double x) {
  return Hankel(
      x, [](Long u) { return -1 / (std::cosh(u) * std::cosh(u)); }, [](Long u) { return std::cosh(u); });
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

double J0Of(double x) { return x == 0 ? 1 : Order0(std::fabs(x)).j; }
double J1Of(double x) {
  const double size = std::fabs(x);
  return size < 1 ? SeriesJ1(x) : std::copysign(1.0, x) * Order1(size).j;
}
// As in TensorFlow the poles at zero reach below it, where there are no values.
double Y0Of(double x) { return x <= 0 ? -INFINITY : Order0(x).y; }
double Y1Of(double x) { return x <= 0 ? -INFINITY : Order1(x).y; }

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
Real BesselJ0(Real x) { return Oscillating(x, J0Of(x.v), Wave(x.e), Height(x.v, 1), -J1Of(x.v)); }
Real BesselJ1(Real x) {
  const double v = J1Of(x.v), slope = x.v == 0 ? 0.5 : J0Of(x.v) - v / x.v;
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
  const auto steepest = [](double inner) { return Modulus(Order1(inner)); };
  return Oscillating(x, Y0Of(x.v), CarriedFromPole(x, steepest), Height(x.v, 1), -Y1Of(x.v));
}
Real BesselY1(Real x) {
  const auto steepest = [](double inner) { return Modulus(Order0(inner)) + Modulus(Order1(inner)) / inner; };
  const double v = Y1Of(x.v);
  // In float32 a series may multiply zero by infinity at the pole.
  if (x.v == 0 && AccumulatorOf(arithmetic.type) == DType::kFloat) return {v, INFINITY, Chain(INFINITY, x.d)};
  return Oscillating(x, v, CarriedFromPole(x, steepest), Height(x.v, 1), Y0Of(x.v) - v / x.v);
}

// ---- K -------------------------------------------------------------------------------------------------------------

// exp(x) Kₙ(x) = ∫ exp(−x (cosh u − 1)) cosh nu du (DLMF 10.32.9), times exp(−x) unless it is asked for as it is.
double KOf(int order, double of, bool scaled) {
  if (!(of > 0)) return of <= 0 ? INFINITY : NAN;  // as of Y
  if (of == INFINITY) return 0;
  const Long x = of;
  const auto decay = [x](Long u) { return 2 * x * std::sinh(u / 2) * std::sinh(u / 2); };
  const Long sum = HalfLine(x, decay, [order](Long u) { return std::cosh(order * u); });
  return static_cast<double>(scaled ? sum : std::exp(-x) * sum);
}

// All four fall.
template <int order, bool scaled>
Real BesselK(Real x) {
  const double v = KOf(order, x.v, scaled), other = KOf(1 - order, x.v, scaled);
  const double slope = (scaled ? v : 0) - other - (order == 1 ? v / x.v : 0);
  if (IsBesidePole(x.v)) return {v, INFINITY, Chain(slope, x.d)};
  return Monotone(
      x, [](double t) { return KOf(order, t, scaled); }, slope, 0);
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
