#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

template <class N>
N TanhGradOf(N y, N dy) {
  return dy * (N(1.0) - y * y);
}

constexpr KernelRow kRows[] = {
    {"Tanh", [](OpContext& c) { Unary<Real, Complex>(c, [](auto x) { return Tanh(x); }); }},
    {"TanhGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return TanhGradOf(y, dy); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationTanh() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
