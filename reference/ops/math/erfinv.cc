// Inverses of the error function and of the normal distribution, by Halley's iteration in long double.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// y ≥ 0 with erf y = x, and erfc y = q = 1 − x, both of which are known to all digits. Winitzki's formula is right to
// three digits, and each step triples them.
long double Inverse(long double x, long double q) {
  constexpr long double kA = 0.147L, kRootPi = 1.772453850905516027298167483341145L;
  const long double log = std::log(q * (1 + x)), t = 2 / (static_cast<long double>(M_PIl) * kA) + log / 2;
  long double y = x < 1e-3L ? x * kRootPi / 2 : std::sqrt(std::sqrt(t * t - log / kA) - t);
  for (int step = 0; step < 5; ++step) {
    const long double distance = x < 0.5L ? std::erf(y) - x : q - std::erfc(y);
    const long double newton = distance / (2 / kRootPi * std::exp(-y * y));
    y -= newton / (1 + y * newton);
  }
  return y;
}

double ErfinvOf(double x) {
  const double size = std::fabs(x);
  if (x == 0) return x;
  if (std::isnan(x)) return NAN;
  return std::copysign(size >= 1 ? INFINITY : static_cast<double>(Inverse(size, 1 - static_cast<long double>(size))),
                       x);
}

// Below 1/2 −√2·erfc⁻¹(2p), above it the opposite of that at 1 − p.
double NdtriOf(double p) {
  if (std::isnan(p)) return NAN;
  if (p <= 0 || p >= 1) return p <= 0 ? -INFINITY : INFINITY;
  if (p == 0.5) return 0;
  const long double exact = p, tail = 2 * (p < 0.5 ? exact : 1 - exact);
  const long double y = 1.414213562373095048801688724209698L * Inverse(1 - tail, tail);
  return static_cast<double>(p < 0.5 ? -y : y);
}

// TensorFlow goes through the normal distribution's at (x + 1)/2, which is rounded.
Real Erfinv(Real x) {
  const double y = ErfinvOf(x.v);
  if (std::fabs(x.v) < 1) x.e += UnitRoundoff(AccumulatorOf(arithmetic.type)) * (1 + x.v);
  return Monotone(x, ErfinvOf, std::sqrt(M_PI) / 2 * std::exp(y * y), -1, 1);
}
Real Ndtri(Real x) {
  const double y = NdtriOf(x.v);
  return Monotone(x, NdtriOf, std::sqrt(2 * M_PI) * std::exp(y * y / 2), 0, 1);
}

constexpr KernelRow kRows[] = {
    {"Erfinv", [](OpContext& c) { Unary<Real>(c, Erfinv); }},
    {"Ndtri", [](OpContext& c) { Unary<Real>(c, Ndtri); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathErfinv() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
