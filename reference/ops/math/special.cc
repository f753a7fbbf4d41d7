// Special functions of one number: the gamma function's logarithm and what is derived from it, the error function, and
// the modified Bessel functions of the first kind.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/log_gamma.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// Bernoulli's numbers B₂, B₄, … divided by the factorial of their index.
constexpr double kBernoulliOverFactorial[] = {1.0 / 12,
                                              -1.0 / 720,
                                              1.0 / 30240,
                                              -1.0 / 1209600,
                                              1.0 / 47900160,
                                              -691.0 / 1307674368e3,
                                              1.0 / 74724249600.0,
                                              -3617.0 / 10670622842880e3,
                                              43867.0 / 5109094217170944e3};

// Below it the terms are too many.
constexpr double kLeastOfZeta = -1048576;

// How many of Bernoulli's numbers the tail of the sum takes in TensorFlow, and how many terms stand before it in
// float32 at least; in float64 they go on to q = 9.
constexpr int kNumbersOfTail = 12;
constexpr int kTermsBeforeTail = 9;

// Whether ζ(s, q) is a sum of finite terms.
bool HasTerms(double s, double q) {
  if (!std::isfinite(s) || !std::isfinite(q) || s <= 1) return false;
  return q > 0 || (q != std::floor(q) && s == std::floor(s));
}

// What an implementation in float32 may leave out of the sum: no more than the next of the terms that Bernoulli's
// numbers stand in, B₂ₙ/(2n)! s (s+1) … (s+2n−2) a^(−s−2n+1) from a on; nothing bounds it where the tail begins below
// zero.
double LeftOutOfZeta(double s, double q) {
  if (arithmetic.type != DType::kFloat || !HasTerms(s, q)) return 0;
  const double begin = q + kTermsBeforeTail;
  if (begin <= 0) return INFINITY;
  const double index = 2 * (kNumbersOfTail + 1);  // B₂ₙ/(2n)! is 2/(2π)²ⁿ
  const double product = LgammaOf(s + index - 1) - LgammaOf(s);
  return 2 * std::exp(product - (s + index - 1) * std::log(begin) - index * std::log(2 * M_PI));
}

// The size of those of its terms that stand at numbers below zero, which others may cancel.
double BelowZeroOfZeta(double s, double q) {
  if (!HasTerms(s, q) || q < kLeastOfZeta) return 0;
  double size = 0;
  for (; q < 0; q += 1) size += std::fabs(std::pow(q, -s));
  return size;
}

// Σ (q + k)^−s over k ≥ 0 by Euler and Maclaurin: the first terms, and the tail from its integral on.
double ZetaOf(double s, double q) {
  if (s == 1) return INFINITY;
  if (std::isnan(s) || std::isnan(q) || s < 1) return NAN;
  if (q == INFINITY) return 0;
  if (q <= 0 && q == std::floor(q)) {
    const bool is_even = s == INFINITY || (s == std::floor(s) && std::fmod(s, 2) == 0);
    return is_even ? INFINITY : NAN;
  }
  if (q <= 0 && s != std::floor(s)) return NAN;
  if (q < kLeastOfZeta) return NAN;
  double sum = 0;
  for (const double first = q; q < 14 + s; q += 1) {
    const double term = std::pow(q, -s);
    sum += term;
    if (term == 0 && q >= 1) return sum;  // nor is anything left of the others
    if (q > std::max(first, 1.0) && term * (q / (s - 1) + 1) <= 1e-18 * std::fabs(sum)) return sum;
  }
  const double power = std::pow(q, -s);
  sum += power * q / (s - 1) + power / 2;
  double factor = s * power / q;
  for (size_t j = 0; j < std::size(kBernoulliOverFactorial); ++j) {
    const double i = 2 * static_cast<double>(j);
    if (factor == 0 || !std::isfinite(factor)) break;
    sum += kBernoulliOverFactorial[j] * factor;
    factor *= (s + i + 1) * (s + i + 2) / (q * q);
  }
  return sum;
}

struct Scaled {
  double value, scale;  // and the size of what it was added up from
};

// log x − 1/(2x) − Σ B₂ₖ/(2k x²ᵏ) for large x, steps of 1/x up to there, and ψ(1−x) − ψ(x) = π cot πx below zero.
Scaled DigammaOf(double x) {
  if (std::isnan(x) || x == -INFINITY || (x <= 0 && x == std::floor(x))) return {NAN, 0};
  if (x == INFINITY) return {INFINITY, 0};
  if (x < 0) {
    const double rest = x - std::nearbyint(x);  // where the tangent is the same
    const double cotangent = std::fabs(rest) == 0.5 ? 0 : M_PI / std::tan(M_PI * rest);
    const Scaled mirrored = DigammaOf(1 - x);
    return {mirrored.value - cotangent, mirrored.scale + std::fabs(cotangent) + 8};
  }
  double steps = 0;
  for (; x < 12; x += 1) steps += 1 / x;
  const double y = 1 / (x * x);
  const double series =
      y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132 - y * 691 / 32760)))));
  return {std::log(x) - 0.5 / x - series - steps, std::log(x) + steps};
}

double TrigammaOf(double x) { return ZetaOf(2, x); }

// Whether a pole of the gamma function lies within the bound.
bool ReachesPole(Real x) { return x.e > 0 && x.v - x.e <= 0 && std::ceil(x.v - x.e) <= std::floor(x.v + x.e); }

// The logarithm is convex between poles: it changes most at an end of the bound.
Real Lgamma(Real x) {
  const double v = LgammaOf(x.v), d = Chain(DigammaOf(x.v).value, x.d);
  if (x.e == 0) return Rounded(v, 0, d, ElementaryUnits());
  if (ReachesPole(x) || x.e == INFINITY) return {v, INFINITY, d};
  const double slope = std::max(std::fabs(DigammaOf(x.v - x.e).value), std::fabs(DigammaOf(x.v + x.e).value));
  return Rounded(v, slope * x.e, d, ElementaryUnits());
}

// Near its zeros an implementation errs by units of what it adds up.
Real Digamma(Real x) {
  const Scaled y = DigammaOf(x.v);
  const double d = Chain(TrigammaOf(x.v), x.d);
  if (x.e > 0 && (ReachesPole(x) || x.e == INFINITY)) return {y.value, INFINITY, d};
  const double carried = x.e == 0 ? 0
                                  : std::max(std::fabs(DigammaOf(x.v + x.e).value - y.value),
                                             std::fabs(DigammaOf(x.v - x.e).value - y.value));
  return Rounded(y.value, carried + ElementaryUnits() * arithmetic.unit * y.scale, d, ElementaryUnits());
}

Real Erf(Real x) {
  return Monotone(
      x, [](double t) { return std::erf(t); }, M_2_SQRTPI * std::exp(-x.v * x.v));
}
Real Erfc(Real x) {
  return Monotone(
      x, [](double t) { return std::erfc(t); }, -M_2_SQRTPI * std::exp(-x.v * x.v));
}

// Σ (x/2)^(2k+order) / (k! (k+order)!), all terms of one sign; from 30 on its asymptotic expansion.
double BesselOf(int order, double x) {
  const double size = std::fabs(x), sign = order == 1 && x < 0 ? -1 : 1;
  if (!std::isfinite(x)) return NAN;  // TensorFlow multiplies an infinite power by zero
  if (size > 30) {
    double term = 1, sum = 1;
    for (int k = 1; k < 25; ++k) {
      const double odd = 2 * k - 1;
      term *= -(4.0 * order * order - odd * odd) / (k * 8 * size);
      sum += term;
    }
    return sign * std::exp(size / 2) * (sum / std::sqrt(2 * M_PI) / std::sqrt(size)) * std::exp(size / 2);
  }
  double term = order == 1 ? size / 2 : 1, sum = term;
  for (int k = 1; term > sum * 1e-18; ++k) {
    term *= size / 2 / k * (size / 2 / (k + order));
    sum += term;
  }
  return sign * sum;
}

// I₀ and |I₁| grow with |x|, and faster the larger it is: they change most at the outer end of the bound.
Real Bessel(Real x, int order, double slope) {
  const double v = BesselOf(order, x.v), outer = std::fabs(x.v) + x.e;
  // exp |x| times what falls with |x| overflows before the product does.
  const double power = std::exp(outer) * (1 + ElementaryUnits() * arithmetic.unit);
  if (std::isfinite(v) && power > LargestFinite(AccumulatorOf(arithmetic.type))) {
    return {v, INFINITY, Chain(slope, x.d)};
  }
  const double carried = x.e == 0 ? 0 : x.e * BesselOf(1 - order, outer);
  return Rounded(v, std::isnan(carried) ? INFINITY : carried, Chain(slope, x.d), ElementaryUnits());
}
Real BesselI0(Real x) { return Bessel(x, 0, BesselOf(1, x.v)); }
Real BesselI1(Real x) { return Bessel(x, 1, x.v == 0 ? 0.5 : BesselOf(0, x.v) - BesselOf(1, x.v) / x.v); }

// exp(−|x|) times that, which has no limit to overflow.
double ScaledBesselOf(int order, double x) {
  const double size = std::fabs(x), sign = order == 1 ? std::copysign(1, x) : 1;
  if (size <= 30 || std::isnan(x)) return std::exp(-size) * BesselOf(order, x);
  double term = 1, sum = 1;
  for (int k = 1; k < 25; ++k) {
    const double odd = 2 * k - 1;
    term *= -(4.0 * order * order - odd * odd) / k / 8 / size;
    sum += term;
  }
  return sign * sum / std::sqrt(2 * M_PI) / std::sqrt(size);
}
// I₀ₑ falls with |x|, the slower the larger it is, and is even.
Real BesselI0e(Real x) {
  const auto fall = [](double size) { return ScaledBesselOf(0, size) - ScaledBesselOf(1, size); };
  const double inner = std::fabs(x.v) > x.e ? std::fabs(x.v) - x.e : 0;
  const double sign = x.v > 0 ? 1 : x.v < 0 ? -1 : 0;
  return Rounded(ScaledBesselOf(0, x.v), x.e == 0 ? 0 : x.e * fall(inner), Chain(-sign * fall(std::fabs(x.v)), x.d),
                 ElementaryUnits());
}
// I₁ₑ changes most at zero, where its slope is a half.
Real BesselI1e(Real x) {
  const double v = ScaledBesselOf(1, x.v);
  const double slope = x.v == 0 ? 0.5 : ScaledBesselOf(0, x.v) - v * (std::copysign(1, x.v) + 1 / x.v);
  return Rounded(v, x.e / 2, Chain(slope, x.d), ElementaryUnits());
}

// (−1)ⁿ⁺¹ n! ζ(n+1, x), the nth derivative of Digamma.
double PolygammaOf(double n, double x) {
  if (!(n >= 0) || n != std::floor(n)) return NAN;
  if (n == 0) return DigammaOf(x).value;
  const double next = RoundTo(arithmetic.type, n + 1);  // n itself, which is even, where the type has no odd numbers
  return (std::fmod(next, 2) == 1 ? -1 : 1) * std::tgamma(n + 1) * ZetaOf(n + 1, x);
}
Real Polygamma(Real n, Real x) {
  const double v = PolygammaOf(n.v, x.v), slope = PolygammaOf(n.v + 1, x.v);
  const double factorial = n.v >= 1 ? std::tgamma(n.v + 1) : 0, left_out = LeftOutOfZeta(n.v + 1, x.v);
  // Of an infinite order TensorFlow gives no number wherever its factors are infinity and zero.
  if (n.e > 0 || std::isinf(n.v) || ReachesPole(x) || left_out == INFINITY) return {v, INFINITY, Chain(slope, x.d)};
  const double carried = x.e == 0 ? 0 : x.e * std::fabs(PolygammaOf(n.v + 1, x.v - x.e));
  // n! is taken as exp(log n!), whose error grows with the logarithm.
  const double units = ElementaryUnits() * (1 + LgammaOf(n.v + 1));
  const double scale = n.v == 0 ? DigammaOf(x.v).scale : factorial * BelowZeroOfZeta(n.v + 1, x.v);
  return Rounded(v, carried + units * arithmetic.unit * scale + factorial * left_out, Chain(slope, x.d), units);
}

// A power's error grows with the logarithm of what is raised and the exponent.
Real Zeta(Real s, Real q) {
  const double v = ZetaOf(s.v, q.v), slope = -s.v * ZetaOf(s.v + 1, q.v);
  const double left_out = LeftOutOfZeta(s.v, q.v), units = ElementaryUnits() * 4;
  if (s.e > 0 || ReachesPole(q) || left_out == INFINITY) return {v, INFINITY, Chain(slope, q.d)};
  const double carried = q.e == 0 ? 0 : q.e * std::fabs(s.v * ZetaOf(s.v + 1, q.v - q.e));
  return Rounded(v, carried + units * arithmetic.unit * BelowZeroOfZeta(s.v, q.v) + left_out, Chain(slope, q.d), units);
}

constexpr KernelRow kRows[] = {
    {"Lgamma", [](OpContext& c) { Unary<Real>(c, Lgamma); }},
    {"Digamma", [](OpContext& c) { Unary<Real>(c, Digamma); }},
    {"Erf", [](OpContext& c) { Unary<Real>(c, Erf); }},
    {"Erfc", [](OpContext& c) { Unary<Real>(c, Erfc); }},
    {"BesselI0", [](OpContext& c) { Unary<Real>(c, BesselI0); }},
    {"BesselI1", [](OpContext& c) { Unary<Real>(c, BesselI1); }},
    {"BesselI0e", [](OpContext& c) { Unary<Real>(c, BesselI0e); }},
    {"BesselI1e", [](OpContext& c) { Unary<Real>(c, BesselI1e); }},
    {"Polygamma", [](OpContext& c) { Binary<Real>(c, Polygamma); }},
    {"Zeta", [](OpContext& c) { Binary<Real>(c, Zeta); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathSpecial() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
