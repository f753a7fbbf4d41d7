// The regularised incomplete gamma functions and their derivative by a.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/log_gamma.h"
#include "reference/ops/lib/elementwise.h"
#include "reference/ops/random/gamma_slope.h"

namespace plumb::reference {
namespace {

// Of both functions, and the size of the logarithms that their power is made of.
struct Shares {
  double below, above, logs;
};

// As in TensorFlow nothing lies below zero, whatever a is, and of two infinities neither share has anything.
// Below the mean xᵃe⁻ˣ/Γ(a+1) · Σ xⁿ/((a+1)…(a+n)), whose terms are positive. Above it what is left by
// xᵃe⁻ˣ/Γ(a) · 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))), from the back.
Shares SharesOf(double a, double x) {
  if (!(a > 0 && x >= 0)) return {x == 0 ? 0 : NAN, NAN, 0};
  if (std::isinf(a) && std::isinf(x)) return {0, 0, 0};
  if (x == 0 || std::isinf(a)) return {0, 1, 0};
  if (std::isinf(x)) return {1, 0, 0};
  const double power = a * std::log(x), gamma = LgammaOf(a);
  const double logs = std::fabs(power) + x + std::fabs(gamma);
  const double scale = std::exp(power - x - gamma);
  if (x > 1 && x > a) {
    constexpr int kSteps = 200;  // half of them are enough for the digits of a double
    double t = x + 2 * kSteps + 1 - a;
    for (int n = kSteps - 1; n >= 0; --n) t = x + 2 * n + 1 - a - (n + 1) * (n + 1 - a) / t;
    return {1 - scale / t, scale / t, logs};
  }
  // Within reach (below) a few hundred terms are enough; elsewhere nothing is promised.
  constexpr double kMostTerms = 1e5;
  double term = 1, sum = 1;
  for (double n = 1; term > 1e-18 * sum && n < kMostTerms; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return {scale / a * sum, 1 - scale / a * sum, logs};
}

double Density(double a, double x) { return std::exp((a - 1) * std::log(x) - x - LgammaOf(a)); }

// ∂P/∂a.
double SlopeByA(double a, double x) { return -Density(a, x) * GammaSampleSlope({a, 0, 0}, {x, 0, 0}).v; }

// Implementations end their series early; beyond this nothing is promised.
bool IsWithinReach(double a, double x) { return a <= 100 && x <= 1e4 && a >= 1e-8 && x >= 1e-30; }

// One of the shares. Whoever computes the other one first errs by units of 1; where that may be follows from a and x.
Real Share(Real a, Real x, double Shares::*which, double sign) {
  const Shares shares = SharesOf(a.v, x.v);
  const double v = shares.*which;
  if (std::isnan(v) || x.v == 0) return {v, a.e + x.e > 0 ? INFINITY : 0, 0};
  if (!IsWithinReach(a.v, x.v)) return {v, INFINITY, 0};
  double carried = 0;
  for (const double b : {a.v - a.e, a.v + a.e}) {
    for (const double y : {x.v - x.e, x.v + x.e}) {
      if (b == a.v && y == x.v) continue;
      const double moved = std::fabs(SharesOf(b, y).*which - v);
      carried = std::isnan(moved) ? INFINITY : std::max(carried, 2 * moved);
    }
  }
  const bool is_rest = sign > 0 ? x.v >= 1 && x.v >= a.v : x.v <= 1 || x.v <= a.v;
  const double own = ElementaryUnits() * arithmetic.unit * (is_rest ? 1 : v) * (8 + 2 * shares.logs);
  double d = 0;
  if (a.d != 0) d += Chain(sign * SlopeByA(a.v, x.v), a.d);
  if (x.d != 0) d += Chain(sign * Density(a.v, x.v), x.d);
  return Rounded(v, carried + own, d);
}

Real Igamma(Real a, Real x) { return Share(a, x, &Shares::below, 1); }
Real Igammac(Real a, Real x) { return Share(a, x, &Shares::above, -1); }

// The density times how far samples move, whose bounds are known.
Real IgammaGradA(Real a, Real x) {
  if (x.v == 0) return {0, a.e + x.e > 0 ? INFINITY : 0, 0};
  const Real slope = GammaSampleSlope({a.v, a.e, 0}, {x.v, x.e, 0});
  if (!(a.v > 0 && x.v > 0)) return {NAN, slope.e, 0};
  if (!IsWithinReach(a.v, x.v)) {
    const double far = std::isinf(x.v) ? 0 : Density(a.v, x.v);
    return {far == 0 ? 0 : -slope.v * far, INFINITY, 0};
  }
  const double p = Density(a.v, x.v);
  double carried = 0;
  for (const double b : {a.v - a.e, a.v + a.e}) {
    for (const double y : {x.v - x.e, x.v + x.e}) {
      const double moved = std::fabs(Density(b, y) - p);
      carried = std::isnan(moved) ? INFINITY : std::max(carried, 2 * moved);
    }
  }
  const double logs = std::fabs((a.v - 1) * std::log(x.v)) + x.v + std::fabs(LgammaOf(a.v));
  const double own = ElementaryUnits() * arithmetic.unit * p * (8 + 2 * logs);
  return -(slope * Rounded(p, carried + own, 0));
}

constexpr KernelRow kRows[] = {
    {"Igamma", [](OpContext& c) { Binary<Real>(c, Igamma); }},
    {"Igammac", [](OpContext& c) { Binary<Real>(c, Igammac); }},
    {"IgammaGradA", [](OpContext& c) { Binary<Real>(c, IgammaGradA); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathIgamma() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
