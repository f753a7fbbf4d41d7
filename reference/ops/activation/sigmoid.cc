#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

template <class N>
N SigmoidGradOf(N y, N dy) {
  return dy * (N(1.0) - y) * y;
}

constexpr KernelRow kRows[] = {
    {"Sigmoid", [](OpContext& c) { Unary<Real, Complex>(c, [](auto x) { return Sigmoid(x); }); }},
    {"SigmoidGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return SigmoidGradOf(y, dy); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationSigmoid() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
