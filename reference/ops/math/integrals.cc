// Functions that are integrals of elementary ones, in long double: by series whose terms are of one sign where there is
// one, by asymptotic ones where these are exact, and by the trapezoidal rule.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

using Long = long double;
constexpr Long kPi = M_PIl;
constexpr Long kEulersConstant = 0.577215664901532860606512090082402431L;

// Whether a term counts in a sum; those of NaN do not.
bool Counts(Long term, Long sum) { return std::fabs(term) > std::fabs(sum) * 1e-22L; }

// exp(−x²) ∫ exp(t²) dt from 0 to x, the integral term by term; far out 1/(2x) Σ (2k−1)!!/(2x²)ᵏ.
double DawsonOf(double of) {
  const Long x = of, q = x * x;
  if (std::isinf(of)) return 1 / of;
  if (q > 100) {
    Long term = 1 / (2 * x), sum = term;
    for (int k = 1; Counts(term, sum); ++k) {
      term *= (2 * k - 1) / (2 * q);
      sum += term;
    }
    return static_cast<double>(sum);
  }
  Long power = x, sum = x;
  for (int k = 1; Counts(power, sum); ++k) {
    power *= q / k;
    sum += power / (2 * k + 1);
  }
  return static_cast<double>(std::exp(-q) * sum);
}

// γ + log x + Σ xᵏ/(k·k!), far out exp(x)/x Σ k!/xᵏ, whose smallest term is no more than exp(−55) of the sum.
double ExpintOf(double of) {
  if (!(of > 0)) return of == 0 ? -INFINITY : NAN;  // TensorFlow has no values below zero
  if (of == INFINITY) return NAN;                   // and multiplies an infinite power by zero
  const Long x = of;
  Long term = 1, sum = 0;
  if (x > 60) {
    for (int k = 1; Counts(term, sum); ++k) {
      sum += term;
      term *= k / x;
    }
    return static_cast<double>(std::exp(x) / x * sum);
  }
  for (int k = 1; k == 1 || Counts(term, sum); ++k) {
    term *= x / k;
    sum += term / k;
  }
  return static_cast<double>(kEulersConstant + std::log(x) + sum);
}

// Li₂(z) = Σ zᵏ/k² for |z| ≤ 1/2.
Long Dilogarithm(Long z) {
  Long power = z, sum = z;
  for (int k = 2; Counts(power, sum); ++k) {
    power *= z;
    sum += power / (k * k);
  }
  return sum;
}

// −∫ log t/(t−1) dt from 1 to x = Li₂(1−x), by its reflections at 1/2 and at 1 (DLMF 25.12.4, 25.12.6).
double SpenceOf(double of) {
  if (!(of >= 0) || std::isinf(of)) return NAN;  // TensorFlow takes from infinity what is infinite
  const auto within_one = [](Long x) {
    if (x >= 0.5L) return Dilogarithm(1 - x);
    return kPi * kPi / 6 - (x == 0 ? 0 : std::log(x) * std::log1p(-x)) - Dilogarithm(x);
  };
  const Long x = of;
  if (x <= 1.5L) return static_cast<double>(within_one(x));
  return static_cast<double>(-std::log(x) * std::log(x) / 2 - within_one(1 / x));
}

// ---- Fresnel's integrals -------------------------------------------------------------------------------------------

// sin and cos of πx²/2. The square is a sum of two long doubles, whose multiples of 4 are whole turns.
struct Angle {
  Long sin, cos;
  explicit Angle(double of) {
    const Long x = of, square = x * x, rest = std::fma(x, x, -square);
    const Long phase = kPi / 2 * (std::fmod(square, 4) + std::fmod(rest, 4));
    sin = std::sin(phase);
    cos = std::cos(phase);
  }
};

// ∫ cos(πt²/2) dt or ∫ sin(πt²/2) dt from 0 to x, term by term, for small x.
Long FresnelSeries(Long x, bool is_sine) {
  const Long angle = kPi / 2 * x * x;
  Long power = is_sine ? x * angle : x, sum = power / (is_sine ? 3 : 1);
  for (int k = is_sine ? 3 : 2; Counts(power, sum); k += 2) {
    power *= -angle * angle / (k * (k - 1));
    sum += power / (2 * k + 1);
  }
  return sum;
}

// f = √2/π ∫ exp(−πx²v²/2)/(1+v⁴) dv over v ≥ 0, and g with v² above (DLMF 7.7.10 and 7.7.11).
struct Auxiliaries {
  Long f = 0, g = 0;
  explicit Auxiliaries(Long x) {
    const Long step = std::min<Long>(0.0625L, 0.25L / x), scale = std::sqrt(Long(2)) / kPi * step;
    f = scale / 2;
    for (Long v = step; kPi * x * x * v * v / 2 < 50; v += step) {
      const Long weight = scale * std::exp(-kPi * x * x * v * v / 2) / (1 + v * v * v * v);
      f += weight;
      g += v * v * weight;
    }
  }
};

double FresnelOf(double x, bool is_sine) {
  const double size = std::fabs(x);
  if (std::isnan(x)) return NAN;
  if (std::isinf(x)) return std::copysign(0.5, x);
  if (size < 1.5) return static_cast<double>(FresnelSeries(x, is_sine));
  const Angle angle(size);
  const Auxiliaries a(size);
  const Long distance = is_sine ? -a.f * angle.cos - a.g * angle.sin : a.f * angle.sin - a.g * angle.cos;
  return std::copysign(static_cast<double>(0.5L + distance), x);
}

// ---- Over numbers with bounds --------------------------------------------------------------------------------------

// 1 − 2xF(x) is the slope, of at most 1.
Real Dawson(Real x) {
  const double v = DawsonOf(x.v);
  return Rounded(v, x.e, Chain(1 - 2 * x.v * v, x.d), ElementaryUnits());
}

// Near its zero an implementation errs by units of the logarithm, which the series cancels.
Real Expint(Real x) {
  const double logarithm = std::fabs(static_cast<double>(kEulersConstant) + std::log(x.v));
  Real y = Monotone(x, ExpintOf, std::exp(x.v) / x.v, 0);
  if (std::isfinite(y.v)) y.e += ElementaryUnits() * arithmetic.unit * logarithm;
  return y;
}

Real Spence(Real x) { return Monotone(x, SpenceOf, x.v == 1 ? -1 : std::log(x.v) / (1 - x.v), 0); }

// Where the gradient's cosine and sine are taken: numbers of the type, of which π/2 is one too, are rounded on the way.
double PhaseOfSlope(double x) { return static_cast<double>(kPi / 2) * (x * x); }

// An angle that is rounded where x is squared and multiplied by π/2, both by what they have been rounded to, moves the
// wave, whose height is 1/πx, by no more than its whole.
double OfRoundedAngle(double x) {
  const double size = std::fabs(x);
  return std::min(1.5 * UnitRoundoff(AccumulatorOf(arithmetic.type)) * size, 2 / (M_PI * size));
}
// The slopes are a cosine and a sine, and no two values differ by 2.
Real FresnelCos(Real x) {
  const double slope = x.d == 0 ? 0 : std::cos(PhaseOfSlope(x.v));
  return Rounded(FresnelOf(x.v, false), Wave(x.e) + OfRoundedAngle(x.v), Chain(slope, x.d), ElementaryUnits());
}
Real FresnelSin(Real x) {
  const double slope = x.d == 0 ? 0 : std::sin(PhaseOfSlope(x.v));
  return Rounded(FresnelOf(x.v, true), Wave(x.e) + OfRoundedAngle(x.v), Chain(slope, x.d), ElementaryUnits());
}

constexpr KernelRow kRows[] = {
    {"Dawsn", [](OpContext& c) { Unary<Real>(c, Dawson); }},
    {"Expint", [](OpContext& c) { Unary<Real>(c, Expint); }},
    {"Spence", [](OpContext& c) { Unary<Real>(c, Spence); }},
    {"FresnelCos", [](OpContext& c) { Unary<Real>(c, FresnelCos); }},
    {"FresnelSin", [](OpContext& c) { Unary<Real>(c, FresnelSin); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathIntegrals() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
