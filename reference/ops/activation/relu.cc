#include "reference/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// NaN stays NaN; an argument that may have either sign may be cut off or not.
Real ReluOf(Real x) { return IsNan(x) ? x : TakenIf(x > 0, x, 0, x); }
Integer ReluOf(Integer x) { return Max(x, 0); }
Real ReluGradOf(Real dy, Real x) { return TakenIf(x > 0, x, 0, dy); }
Integer ReluGradOf(Integer dy, Integer x) { return x > 0 ? dy : Integer(0); }

constexpr KernelRow kRows[] = {
    {"Relu", [](OpContext& c) { Unary<Real, Integer>(c, [](auto x) { return ReluOf(x); }); }},
    {"ReluGrad",
     [](OpContext& c) { OwnGradient<Real, Integer>(c, [](auto dy, auto x) { return ReluGradOf(dy, x); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationRelu() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
