// The regularised incomplete beta integral, by its continued fraction; between large parameters, of which the fraction
// would take too many terms and its factor too large logarithms, by the integral of the error that they come close to.
#include <cmath>
#include <numbers>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/log_gamma.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// 1 + d₁/(1 + d₂/(1 + …)), of which d₂ₘ = m(b−m)x / ((a+2m−1)(a+2m)) and d₂ₘ₊₁ = −(a+m)(a+b+m)x / ((a+2m)(a+2m+1)),
// from the front on by Lentz's method. It converges fast while x < (a+1)/(a+b+2).
double Fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr int kMostSteps = 100000;
  double f = 1, c = 1, d = 0;
  for (int i = 1; i < kMostSteps; ++i) {
    const double m = i / 2;
    const double step = i % 2 == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                   : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + step * d;
    c = 1 + step / c;
    if (std::fabs(d) < kTiny) d = kTiny;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1 / d;
    f *= c * d;
    if (std::fabs(c * d - 1) < 1e-16) break;
  }
  return f;
}

struct Integral {
  double value, logs;  // and the size of the logarithms that its power is made of
  bool from_above;     // whether it was found as what is left of 1
  double error = 0;    // of the value, by the formula
};

bool AreLarge(double a, double b) { return std::fmin(a, b) > 1e8; }

// log(1 + t) − t, whose first terms do not cancel for small t.
double LogMinusItself(double t) {
  if (std::fabs(t) > 0.01) return std::log1p(t) - t;
  double sum = 0, power = t;
  for (int n = 2; n <= 10; ++n) {
    power *= -t;
    sum += power / n;
  }
  return sum;
}

// How far x is from the mean m = a/(a+b), as the exponent −(a+b)·(m·log(m/x) + (1−m)·log((1−m)/(1−x))).
double Exponent(double a, double b, double x) {
  const double mean = a / (a + b), rest = b / (a + b);
  return (a + b) * (mean * LogMinusItself((x - mean) / mean) + rest * LogMinusItself((mean - x) / rest));
}

// Temme's uniform expansion, the first term. Those that follow have the skewness, 0.14/√min(a, b) at most; and the
// distance from the mean is as exact as the mean itself.
Integral BetweenLarge(double a, double b, double x) {
  const double distance = std::sqrt(-Exponent(a, b, x));
  const double value = std::erfc(x * (a + b) < a ? distance : -distance) / 2;
  return {value, 0, false, std::fmin(1, 1 / std::sqrt(std::fmin(a, b)) + 0x1p-50 * std::sqrt(a + b))};
}

Integral BetaincOf(double a, double b, double x) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(x) || a <= 0 || b <= 0 || x < 0 || x > 1) return {NAN, 0, false};
  if (x == 0 || x == 1) return {x, 0, false};
  if (AreLarge(a, b)) return BetweenLarge(a, b, x);
  const double gammas[] = {LgammaOf(a), LgammaOf(b), LgammaOf(a + b)};
  const double powers[] = {a * std::log(x), b * std::log1p(-x)};
  const double power = std::exp(powers[0] + powers[1] - gammas[0] - gammas[1] + gammas[2]);
  double logs = 0;
  for (const double log : gammas) logs += std::fabs(log);
  for (const double log : powers) logs += std::fabs(log);
  if (x < (a + 1) / (a + b + 2)) return {power / a / Fraction(a, b, x), logs, false};
  return {1 - power / b / Fraction(b, a, 1 - x), logs, true};
}

double Density(double a, double b, double x) {
  if (AreLarge(a, b)) {
    const double n = a + b;
    return std::exp(Exponent(a, b, x)) * std::sqrt(a / n * b / (2 * std::numbers::pi)) / (x * (1 - x));
  }
  return std::exp((a - 1) * std::log(x) + (b - 1) * std::log1p(-x) - LgammaOf(a) - LgammaOf(b) + LgammaOf(a + b));
}

// The bound has a unit for each logarithm's own; an implementation may turn to 1 − x on either side of the mean.
Real Betainc(Real a, Real b, Real x) {
  const Integral z = BetaincOf(a.v, b.v, x.v);
  const double d = x.d == 0 ? 0 : Chain(Density(a.v, b.v, x.v), x.d);
  if (std::isnan(z.value)) return {z.value, a.e > 0 || b.e > 0 || x.e > 0 ? INFINITY : 0, d};
  if (a.e > 0 || b.e > 0) return {z.value, 1, d};
  double carried = 0;
  for (const double end : {x.v - x.e, x.v + x.e}) {
    carried = std::max(carried, std::fabs(BetaincOf(a.v, b.v, std::fmin(std::fmax(end, 0), 1)).value - z.value));
  }
  const double scale = z.from_above || x.v * (a.v + b.v) > a.v ? 1 : z.value;
  const double own = ElementaryUnits() * arithmetic.unit * scale * (8 + 2 * z.logs);
  return Rounded(z.value, carried + own + z.error, d);
}

Shape CommonShape(OpContext& c) {
  Shape common;
  for (int i = 0; i < 3; ++i) {
    const Shape& shape = c.tensor(i).shape();
    if (shape.rank() == 0) continue;
    Require(common.rank() == 0 || common == shape, "operands that are no scalars must have one shape, not ",
            common.ToString(), " and ", shape.ToString());
    common = shape;
  }
  return common;
}

void Betainc(OpContext& c) {
  const Shape shape = CommonShape(c);
  ForKind<Real>(c.tensor(0).dtype(), [&](auto) {
    const Reader<Real> a(c.input(0)), b(c.input(1)), x(c.input(2));
    const auto at = [](const Reader<Real>& of, int64_t i) { return of[of.shape().rank() == 0 ? 0 : i]; };
    Writer<Real> z(c.tensor(0).dtype(), shape);
    for (int64_t i = 0; i < z.size(); ++i) z.Set(i, Betainc(at(a, i), at(b, i), at(x, i)));
    c.Output(0, z.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"Betainc", Betainc},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathBetainc() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
