#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// R67, with lr/√a in the place of the rate, a being the sum of all squares of gradients.
template <class N>
auto Formula(OpContext& c) {
  const N lr = Hyperparameter<N>(c, 2), l1 = Hyperparameter<N>(c, 3), l2 = Hyperparameter<N>(c, 4);
  Require(lr > 0, "lr must be positive, not ", Plain(lr));
  Require(l1 >= 0 && l2 >= 0, "l1 and l2 must not be negative: ", Plain(l1), ", ", Plain(l2));
  return [lr, l1, l2](Slots<N> slots, const N& g) {
    N &v = slots[0], &a = slots[1];
    const auto rate = [&] { return lr * Rsqrt(a); };
    a = Overflowing(a + Squared(g));
    v -= g * rate();
    const N shrunk = l1 > 0 ? Sign(v) * Max(Abs(v) - rate() * l1, N(0)) : v;
    v = shrunk / (1 + l2 * rate());
  };
}
void Dense(OpContext& c) {
  UpdateDense<Real>(c, {.slots = 2, .gradient = 5},
                    [&](auto kind) { return Formula<typename decltype(kind)::Type>(c); });
}
void Sparse(OpContext& c) {
  UpdateRows<Real>(c, {.slots = 2, .gradient = 5, .indices = 6, .refuses_empty_rows = true},
                   [&](auto kind) { return Formula<typename decltype(kind)::Type>(c); });
}

constexpr KernelRow kRows[] = {
    {"ApplyProximalAdagrad", Dense},
    {"SparseApplyProximalAdagrad", Sparse},
    {"ResourceApplyProximalAdagrad", Dense},
    {"ResourceSparseApplyProximalAdagrad", Sparse},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerProximalAdagrad() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
