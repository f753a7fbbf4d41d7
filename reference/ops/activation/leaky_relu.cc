// Leaky rectifiers.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// x where the gate is positive, else alpha·x. A gate that may have either sign may let through either.
Real Leaked(Real x, Real gate, double alpha) {
  const Real whole = x, part = x * Real(alpha);
  Real taken = gate > 0 ? whole : part;
  if (gate.e > 0 && std::fabs(gate.v) <= gate.e) {
    taken.e = std::max(whole.e, part.e) + std::fabs(whole.v - part.v);
  }
  return taken;
}

// As an element of the op's type.
double AlphaOf(OpContext& c) { return RoundTo(c.tensor(0).dtype(), c.attr<float>("alpha")); }

void LeakyRelu(OpContext& c) {
  const double alpha = AlphaOf(c);
  Unary<Real>(c, [alpha](Real x) { return Leaked(x, x, alpha); });
}

void LeakyReluGrad(OpContext& c) {
  Require(c.tensor(0).shape() == c.tensor(1).shape(), "gradients and features must have one shape, not ",
          c.tensor(0).shape().ToString(), " and ", c.tensor(1).shape().ToString());
  const double alpha = AlphaOf(c);
  OwnGradient<Real>(c, [alpha](Real dy, Real x) { return Leaked(dy, x, alpha); });
}

constexpr KernelRow kRows[] = {
    {"LeakyRelu", LeakyRelu},
    {"LeakyReluGrad", LeakyReluGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationLeakyRelu() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
