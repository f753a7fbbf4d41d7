#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// R62: a += g²; v −= lr·g/√a.
template <class N>
auto AdagradFormula(OpContext& c, int lr_input) {
  return
      [lr = Hyperparameter<N>(c, lr_input), update_slots = c.attr<bool>("update_slots")](Slots<N> slots, const N& g) {
        N &v = slots[0], &a = slots[1];
        if (update_slots) a = Overflowing(a + Squared(g));
        v -= g * lr * Rsqrt(a);
      };
}
void Adagrad(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 2, .gradient = 3},
                             [&](auto kind) { return AdagradFormula<typename decltype(kind)::Type>(c, 2); });
}
void SparseAdagrad(OpContext& c) {
  UpdateRows<Real, Complex>(c, {.slots = 2, .gradient = 3, .indices = 4, .refuses_empty_rows = true},
                            [&](auto kind) { return AdagradFormula<typename decltype(kind)::Type>(c, 2); });
}

// a += g²; v −= lr·g/(√a + epsilon).
template <class N>
auto AdagradV2Formula(OpContext& c) {
  return [lr = Hyperparameter<N>(c, 2), epsilon = Hyperparameter<N>(c, 3), update_slots = c.attr<bool>("update_slots")](
             Slots<N> slots, const N& g) {
    N &v = slots[0], &a = slots[1];
    if (update_slots) a = Overflowing(a + Squared(g));
    v -= g * lr / (Sqrt(a) + epsilon);
  };
}
void AdagradV2(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 2, .gradient = 4},
                             [&](auto kind) { return AdagradV2Formula<typename decltype(kind)::Type>(c); });
}
void SparseAdagradV2(OpContext& c) {
  UpdateRows<Real, Complex>(c, {.slots = 2, .gradient = 4, .indices = 5, .refuses_empty_rows = true},
                            [&](auto kind) { return AdagradV2Formula<typename decltype(kind)::Type>(c); });
}

constexpr KernelRow kRows[] = {
    {"ApplyAdagrad", Adagrad},
    {"SparseApplyAdagrad", SparseAdagrad},
    {"ResourceApplyAdagrad", Adagrad},
    {"ResourceSparseApplyAdagrad", SparseAdagrad},
    {"ApplyAdagradV2", AdagradV2},
    {"SparseApplyAdagradV2", SparseAdagradV2},
    {"ResourceApplyAdagradV2", AdagradV2},
    {"ResourceSparseApplyAdagradV2", SparseAdagradV2},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerAdagrad() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
