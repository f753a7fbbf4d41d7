// dx/da = −(∂P/∂a) / (∂P/∂x) for the regularised incomplete gamma function P(a, x), whose density is p = xᵃ⁻¹e⁻ˣ/Γ(a).
//
// Below the mean P = x/a · p · M with M = Σ xⁿ/((a+1)…(a+n)), so that dx/da = −x/a · (M·(log x − ψ(a+1)) + ∂M/∂a).
// Above it 1 − P = x · p · F with the continued fraction F = 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))), so that
// dx/da = x · (F·(log x − ψ(a)) + ∂F/∂a).
#include "reference/ops/random/gamma_slope.h"

#include <algorithm>
#include <cmath>

#include "reference/numbers/element.h"

namespace plumb::reference {
namespace {

// ψ(a) for a > 0: steps of 1/a up to where the asymptotic series holds.
double Psi(double a) {
  double sum = 0;
  for (; a < 15; a += 1) sum -= 1 / a;
  const double y = 1 / (a * a);
  return sum + std::log(a) - 0.5 / a -
         y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132 - y * 691 / 32760)))));
}

struct Slope {
  double value = 0;
  double scale = 0;  // size of what it was added up from
};

Slope FromSeries(double a, double x) {
  double term = 1, sum = 1, moved = 0, harmonic = 0;
  for (double n = 1; term > 1e-18 * sum; n += 1) {
    term *= x / (a + n);
    harmonic += 1 / (a + n);
    sum += term;
    moved -= term * harmonic;
  }
  const double log = std::log(x), psi = Psi(a + 1);
  return {-x / a * (sum * (log - psi) + moved), x / a * (sum * (std::fabs(log) + std::fabs(psi)) + std::fabs(moved))};
}

Slope FromFraction(double a, double x) {
  constexpr int kSteps = 200;                     // half of them are enough for the digits of a double
  double t = x + 2 * kSteps + 1 - a, moved = -1;  // the derivative of t by a
  for (int n = kSteps - 1; n >= 0; --n) {
    const double i = n + 1, over = i * (i - a) / t;
    moved = -1 - (-i / t - over / t * moved);
    t = x + 2 * n + 1 - a - over;
  }
  const double log = std::log(x), psi = Psi(a), own = -moved / (t * t);
  return {x * ((log - psi) / t + own), x * ((std::fabs(log) + std::fabs(psi)) / t + std::fabs(own))};
}

Slope SlopeAt(double a, double x) {
  if (x == 0) return {};
  if (!(a > 0 && x > 0)) return {NAN, 0};
  return x > 1 && x > a ? FromFraction(a, x) : FromSeries(a, x);
}

// Implementations end their series early: TensorFlow's after 200 terms in float32, and after 500 in float64.
bool IsWithinReach(double a, double x) { return a <= 100 && x <= 1e100 && a >= 1e-8 && x >= 1e-30; }
constexpr double kUnits = 128;

// Any finite a > 0. Of a large one the samples are a + z·√a, of which z stays the same, nearly.
double RoughSlope(double a, double x) {
  constexpr double kLarge = 1e4;
  if (std::isinf(x)) return INFINITY;
  return a <= kLarge ? SlopeAt(a, x).value : 0.5 + x / a / 2;
}

}  // namespace

Real GammaSampleSlope(Real alpha, Real sample) {
  const double a = alpha.v, x = sample.v;
  if (x != 0 && a > 0 && x > 0 && !IsWithinReach(a, x)) return {RoughSlope(a, x), INFINITY, 0};
  const Slope slope = SlopeAt(a, x);
  if (std::isnan(slope.value) || x == 0) return {slope.value, alpha.e + sample.e > 0 ? INFINITY : 0, 0};
  double carried = 0;
  for (const double b : {a - alpha.e, a + alpha.e}) {
    for (const double y : {x - sample.e, x + sample.e}) {
      if (b == a && y == x) continue;
      const double moved = std::fabs(SlopeAt(b, y).value - slope.value);
      carried = std::isnan(moved) ? INFINITY : std::max(carried, 2 * moved);
    }
  }
  constexpr double kStep = 1e-5;
  const auto by = [&](double da, double dx) {
    return (SlopeAt(a + da, x + dx).value - SlopeAt(a - da, x - dx).value) / 2;
  };
  double d = 0;
  if (alpha.d != 0) d += Chain(by(a * kStep, 0) / (a * kStep), alpha.d);
  if (sample.d != 0) d += Chain(by(0, x * kStep) / (x * kStep), sample.d);
  return Rounded(slope.value, carried + kUnits * arithmetic.unit * slope.scale, d, ElementaryUnits());
}

}  // namespace plumb::reference
