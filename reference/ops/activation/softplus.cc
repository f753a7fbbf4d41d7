// Softplus and softsign.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// What TensorFlow leaves out of narrow numbers: far from zero, by the logarithm of the type's epsilon and two less, it
// takes x itself and the exponential alone. Eigen's epsilon of float16 is not the type's.
double LeftOutOfSoftplus(double x) {
  const DType type = arithmetic.type;
  if (type != DType::kHalf && type != DType::kBfloat16) return 0;
  const double epsilon = type == DType::kHalf ? 0x1p-13 : 0x1p-7;
  const double far = -RoundTo(type, RoundTo(type, std::log(epsilon)) + 2);
  if (!(std::fabs(x) > far)) return 0;
  const double rest = std::log1p(std::exp(-std::fabs(x)));
  return x > 0 ? rest : std::exp(x) - rest;
}

Real Softplus(Real x) {
  Real y = Monotone(
      x, [](double t) { return std::isnan(t) ? t : std::max(t, 0.0) + std::log1p(std::exp(-std::fabs(t))); },
      SigmoidOf(x.v));
  y.e += LeftOutOfSoftplus(x.v);
  return y;
}
// Infinities end as NaN, as the quotient of two of them.
Real Softsign(Real x) {
  const double size = 1 + std::fabs(x.v);
  return Monotone(
      x, [](double t) { return t / (1 + std::fabs(t)); }, 1 / size / size);
}

// Where the power overflows, the quotient by it may vanish.
Real SoftplusGradOf(Real dy, Real x) {
  const Real power = Exp(-x);
  Real dx = dy / (power + Real(1));
  if (power.v > arithmetic.largest) dx.e = std::max(dx.e, std::fabs(dx.v));
  return dx;
}
// Where the square is too large for the type the other implementation divides by infinity.
Real SoftsignGradOf(Real dy, Real x) {
  const Real square = Square(Real(1) + Abs(x));
  Real dx = dy / square;
  if (square.v > arithmetic.largest) dx.e = std::max(dx.e, std::fabs(dx.v));
  return dx;
}

template <class F>
void GradientByFeatures(OpContext& c, F f) {
  Require(c.tensor(0).shape() == c.tensor(1).shape(), "gradients and features must have one shape, not ",
          c.tensor(0).shape().ToString(), " and ", c.tensor(1).shape().ToString());
  OwnGradient<Real>(c, f);
}

constexpr KernelRow kRows[] = {
    {"Softplus", [](OpContext& c) { Unary<Real>(c, Softplus); }},
    {"SoftplusGrad", [](OpContext& c) { GradientByFeatures(c, SoftplusGradOf); }},
    {"Softsign", [](OpContext& c) { Unary<Real>(c, Softsign); }},
    {"SoftsignGrad", [](OpContext& c) { GradientByFeatures(c, SoftsignGradOf); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationSoftplus() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
