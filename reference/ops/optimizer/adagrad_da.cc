#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// Dual averaging (R62): s += g; q += g²; v = −lr·sign(s)·max(|s| − l1·t, 0)/(l2·lr·t + √q) after t steps. Scalars begin
// with input `first`. `by_rows`: numerator and denominator are divided by lr·t first, which shows after no step, or
// fewer (R68).
template <class N>
auto Formula(OpContext& c, int first, bool by_rows) {
  const Tensor& step = c.tensor(first + 3);
  Require(step.rank() == 0, "global_step must be a scalar, not of shape ", step.shape().ToString());
  const N t = static_cast<double>(step.scalar<int64_t>());
  return [by_rows, t, lr = Hyperparameter<N>(c, first), l1 = Hyperparameter<N>(c, first + 1),
          l2 = Hyperparameter<N>(c, first + 2)](Slots<N> slots, const N& g) {
    N &v = slots[0], &s = slots[1], &q = slots[2];
    s += g;
    q = Overflowing(q + Squared(g));
    if (by_rows) {
      const N mean = l1 > 0 ? Sign(s) * Max(Abs(s) / t - l1, N(0)) : s / t;
      v = -mean / (l2 + Sqrt(q) / (t * lr));
    } else {
      const N sum = l1 > 0 ? Sign(s) * Max(Abs(s) - t * l1, N(0)) : s;
      v = -(lr * sum) / (l2 * (t * lr) + Sqrt(q));
    }
  };
}
void Dense(OpContext& c) {
  UpdateDense<Real>(c, {.slots = 3, .gradient = 3},
                    [&](auto kind) { return Formula<typename decltype(kind)::Type>(c, 4, false); });
}
void Sparse(OpContext& c) {
  UpdateRows<Real>(c, {.slots = 3, .gradient = 3, .indices = 4, .refuses_empty_rows = true},
                   [&](auto kind) { return Formula<typename decltype(kind)::Type>(c, 5, true); });
}

constexpr KernelRow kRows[] = {
    {"ApplyAdagradDA", Dense},
    {"SparseApplyAdagradDA", Sparse},
    {"ResourceApplyAdagradDA", Dense},
    {"ResourceSparseApplyAdagradDA", Sparse},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerAdagradDa() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
