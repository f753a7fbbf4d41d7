// Exponential linear units.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// λ = 1.0507…, and λα = 1.7580…, with which a standard normal argument keeps mean and variance.
constexpr double kSeluScale = 1.0507009873554804934193349852946, kSeluScaleAlpha = 1.7580993408473768599402175208123;

// A constant that an implementation may round to the op's type before it computes with it.
Real Constant(double value) { return {value, arithmetic.unit * value, 0}; }

// Whether the bound lets x be on the other side of zero.
bool MayPassZero(Real x) { return x.e > 0 && std::fabs(x.v) <= x.e; }

// `rising` from zero on, and `falling`, which meets it there with a slope of `bend` in place of its own, below.
Real Joined(Real x, Real rising, Real falling, double bend) {
  Real y = x < 0 ? falling : rising;
  if (MayPassZero(x)) y.e += bend * x.e + 2 * ElementaryUnits() * arithmetic.unit * bend;
  return y;
}

// As exp(x) − 1: near zero an implementation may lose what the subtraction cancels.
Real ExpLessOne(Real x) { return x < 0 ? Exp(x) - Real(1) : x; }

Real Elu(Real x) { return Joined(x, x, ExpLessOne(x), 1); }
Real Selu(Real x) {
  return Joined(x, Constant(kSeluScale) * x, Constant(kSeluScaleAlpha) * ExpLessOne(x), kSeluScaleAlpha);
}

// dy·slope, where the slope is `below` for negative outputs and `above` for others.
Real Sloped(Real dy, Real y, Real below, Real above) {
  Real dx = dy * (y < 0 ? below : above);
  if (MayPassZero(y)) dx.e += (std::fabs(dy.v) + dy.e) * (std::fabs(below.v - above.v) + below.e);
  return dx;
}
Real EluGradOf(Real dy, Real y) { return Sloped(dy, y, y + Real(1), 1); }
Real SeluGradOf(Real dy, Real y) { return Sloped(dy, y, y + Constant(kSeluScaleAlpha), Constant(kSeluScale)); }

template <class F>
void GradientByOutput(OpContext& c, F f) {
  Require(c.tensor(0).shape() == c.tensor(1).shape(), "gradients and outputs must have one shape, not ",
          c.tensor(0).shape().ToString(), " and ", c.tensor(1).shape().ToString());
  OwnGradient<Real>(c, f);
}

constexpr KernelRow kRows[] = {
    {"Elu", [](OpContext& c) { Unary<Real>(c, Elu); }},
    {"EluGrad", [](OpContext& c) { GradientByOutput(c, EluGradOf); }},
    {"Selu", [](OpContext& c) { Unary<Real>(c, Selu); }},
    {"SeluGrad", [](OpContext& c) { GradientByOutput(c, SeluGradOf); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationElu() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
