#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// R61: a = a·mu + g; v −= lr·a, or lr·g + lr·mu·a.
template <class N>
auto Formula(OpContext& c, int mu_input) {
  return [nesterov = c.attr<bool>("use_nesterov"), lr = Hyperparameter<N>(c, 2), mu = Hyperparameter<N>(c, mu_input)](
             Slots<N> slots, const N& g) {
    N &v = slots[0], &a = slots[1];
    a = a * mu + g;
    v -= nesterov ? g * lr + a * mu * lr : a * lr;
  };
}
// a = a·mu − lr·g; v += a, or mu·a − lr·g.
template <class N>
auto KerasFormula(OpContext& c, int mu_input) {
  return [nesterov = c.attr<bool>("use_nesterov"), lr = Hyperparameter<N>(c, 2), mu = Hyperparameter<N>(c, mu_input)](
             Slots<N> slots, const N& g) {
    N &v = slots[0], &a = slots[1];
    a = a * mu - g * lr;
    v += nesterov ? a * mu - g * lr : a;
  };
}
void KerasMomentum(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 2, .gradient = 3},
                             [&](auto kind) { return KerasFormula<typename decltype(kind)::Type>(c, 4); });
}
void SparseKerasMomentum(OpContext& c) {
  UpdateRows<Real, Complex>(c, {.slots = 2, .gradient = 3, .indices = 4},
                            [&](auto kind) { return KerasFormula<typename decltype(kind)::Type>(c, 5); });
}

void Momentum(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 2, .gradient = 3},
                             [&](auto kind) { return Formula<typename decltype(kind)::Type>(c, 4); });
}
void SparseMomentum(OpContext& c) {
  UpdateRows<Real, Complex>(c, {.slots = 2, .gradient = 3, .indices = 4},
                            [&](auto kind) { return Formula<typename decltype(kind)::Type>(c, 5); });
}

constexpr KernelRow kRows[] = {
    {"ApplyMomentum", Momentum},
    {"SparseApplyMomentum", SparseMomentum},
    {"ResourceApplyMomentum", Momentum},
    {"ResourceSparseApplyMomentum", SparseMomentum},
    {"ResourceApplyKerasMomentum", KerasMomentum},
    {"ResourceSparseApplyKerasMomentum", SparseKerasMomentum},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerMomentum() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
