#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// R67: w = v − alpha·g; v = sign(w)·max(|w| − alpha·l1, 0)/(1 + alpha·l2), where a penalty l1 that is not positive
// shrinks nothing.
template <class N>
auto Formula(OpContext& c) {
  return [alpha = Hyperparameter<N>(c, 1), l1 = Hyperparameter<N>(c, 2), l2 = Hyperparameter<N>(c, 3)](Slots<N> slots,
                                                                                                       const N& g) {
    N& v = slots[0];
    v -= g * alpha;
    if (l1 > 0) v = Sign(v) * Max(Abs(v) - alpha * l1, N(0));
    v = v / (1 + l2 * alpha);
  };
}
void Dense(OpContext& c) {
  UpdateDense<Real>(c, {.slots = 1, .gradient = 4},
                    [&](auto kind) { return Formula<typename decltype(kind)::Type>(c); });
}
void Sparse(OpContext& c) {
  UpdateRows<Real>(c, {.slots = 1, .gradient = 4, .indices = 5, .refuses_empty_rows = true},
                   [&](auto kind) { return Formula<typename decltype(kind)::Type>(c); });
}

constexpr KernelRow kRows[] = {
    {"ApplyProximalGradientDescent", Dense},
    {"SparseApplyProximalGradientDescent", Sparse},
    {"ResourceApplyProximalGradientDescent", Dense},
    {"ResourceSparseApplyProximalGradientDescent", Sparse},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerProximalDescent() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
