#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// R63: a = rho·a + (1−rho)·g²; step = √(u+ε)·g/√(a+ε); v −= lr·step; u = rho·u + (1−rho)·step².
template <class N>
auto Formula(OpContext& c) {
  return [lr = Hyperparameter<N>(c, 3), rho = Hyperparameter<N>(c, 4), epsilon = Hyperparameter<N>(c, 5)](
             Slots<N> slots, const N& g) {
    N &v = slots[0], &a = slots[1], &u = slots[2];
    const auto step = [&] { return Sqrt(u + epsilon) * Rsqrt(a + epsilon) * g; };
    const N one = N(1.0);
    a = Overflowing(a * rho + Squared(g) * (one - rho));
    v -= step() * lr;
    u = u * rho + Squared(step()) * (one - rho);
  };
}
void Adadelta(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 3, .gradient = 6},
                             [&](auto kind) { return Formula<typename decltype(kind)::Type>(c); });
}
void SparseAdadelta(OpContext& c) {
  UpdateRows<Real, Complex>(c, {.slots = 3, .gradient = 6, .indices = 7},
                            [&](auto kind) { return Formula<typename decltype(kind)::Type>(c); });
}

constexpr KernelRow kRows[] = {
    {"ApplyAdadelta", Adadelta},
    {"SparseApplyAdadelta", SparseAdadelta},
    {"ResourceApplyAdadelta", Adadelta},
    {"ResourceSparseApplyAdadelta", SparseAdadelta},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerAdadelta() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
