#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

Real Logistic(Real x) { return Sigmoid(x); }
// Where the exponential overflows, an implementation divides complex infinities.
Complex Logistic(Complex z) {
  Complex y = Sigmoid(z);
  if (std::exp(std::fabs(z.re.v)) > arithmetic.largest) y.re.e = y.im.e = INFINITY;
  return y;
}

template <class N>
N SigmoidGradOf(N y, N dy) {
  return dy * (N(1.0) - y) * y;
}

constexpr KernelRow kRows[] = {
    {"Sigmoid", [](OpContext& c) { Unary<Real, Complex>(c, [](auto x) { return Logistic(x); }); }},
    {"SigmoidGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return SigmoidGradOf(y, dy); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationSigmoid() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
