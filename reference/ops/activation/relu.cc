#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// NaN stays NaN; an argument that may have either sign may be cut off or not.
Real ReluOf(Real x) { return IsNan(x) ? x : TakenIf(x > 0, x, 0, x); }
Integer ReluOf(Integer x) { return Max(x, 0); }
// N20: a product with 1 or 0, of which the latter makes NaN of an infinity.
Real ReluGradOf(Real dy, Real x) {
  if (!std::isfinite(dy.v) && !(x > 0)) return NAN;
  return TakenIf(x > 0, x, 0, dy);
}
Integer ReluGradOf(Integer dy, Integer x) { return x > 0 ? dy : Integer(0); }

void ReluGrad(OpContext& c) {
  Require(c.tensor(0).shape() == c.tensor(1).shape(), "gradients and features must have one shape, not ",
          c.tensor(0).shape().ToString(), " and ", c.tensor(1).shape().ToString());
  OwnGradient<Real, Integer>(c, [](auto dy, auto x) { return ReluGradOf(dy, x); });
}

constexpr KernelRow kRows[] = {
    {"Relu", [](OpContext& c) { Unary<Real, Integer>(c, [](auto x) { return ReluOf(x); }); }},
    {"ReluGrad", ReluGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationRelu() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
