#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// NaN stays NaN; an argument that may have either sign may be cut off or not.
Real ReluOf(Real x) { return IsNan(x) ? x : TakenIf(x > 0, x, 0, x); }
Integer ReluOf(Integer x) { return Max(x, 0); }
// N20: a product with 1 or 0, of which the latter makes NaN of an infinity and keeps the sign of a number.
Real ProductIf(bool passes, Real x, double limit, Real dy) {
  if (!std::isfinite(dy.v) && !passes) return NAN;
  Real product = TakenIf(passes, x, limit, dy);
  if (!passes) product.v = std::copysign(0.0, dy.v);
  return product;
}
Real ReluGradOf(Real dy, Real x) { return ProductIf(x > 0, x, 0, dy); }
Integer ReluGradOf(Integer dy, Integer x) { return x > 0 ? dy : Integer(0); }

// What lies beyond a limit with its whole bound is known exactly.
Real Relu6Of(Real x) {
  if (IsNan(x)) return x;
  const double v = std::min(std::max(x.v, 0.0), 6.0);
  const double low = std::clamp(x.v - x.e, 0.0, 6.0), high = std::clamp(x.v + x.e, 0.0, 6.0);
  if (x.e == INFINITY) return {v, INFINITY, x.d};
  return {v, std::max(high - v, v - low), x.v > 0 && x.v < 6 ? x.d : 0};
}
Integer Relu6Of(Integer x) { return Min(Max(x, 0), 6); }

Real Relu6GradOf(Real dy, Real x) { return ProductIf(x > 0 && x < 6, x, x.v < 3 ? 0 : 6, dy); }
Integer Relu6GradOf(Integer dy, Integer x) { return x > 0 && x < 6 ? dy : Integer(0); }

void RequireOneShape(OpContext& c) {
  Require(c.tensor(0).shape() == c.tensor(1).shape(), "gradients and features must have one shape, not ",
          c.tensor(0).shape().ToString(), " and ", c.tensor(1).shape().ToString());
}
void ReluGrad(OpContext& c) {
  RequireOneShape(c);
  OwnGradient<Real, Integer>(c, [](auto dy, auto x) { return ReluGradOf(dy, x); });
}
void Relu6Grad(OpContext& c) {
  RequireOneShape(c);
  OwnGradient<Real, Integer>(c, [](auto dy, auto x) { return Relu6GradOf(dy, x); });
}

constexpr KernelRow kRows[] = {
    {"Relu", [](OpContext& c) { Unary<Real, Integer>(c, [](auto x) { return ReluOf(x); }); }},
    {"ReluGrad", ReluGrad},
    {"Relu6", [](OpContext& c) { Unary<Real, Integer>(c, [](auto x) { return Relu6Of(x); }); }},
    {"Relu6Grad", Relu6Grad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationRelu() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
