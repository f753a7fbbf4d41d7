#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// R61: m = β·m + (1 − β)·g; v −= lr·scale·g, where the scale depends on whether g and m have one sign.
template <class Scale>
void SignMomentum(OpContext& c, Scale scale) {
  UpdateDense<Real>(c, {.slots = 2, .gradient = 6}, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    return [=, lr = Hyperparameter<N>(c, 2), base = Hyperparameter<N>(c, 3), decay = Hyperparameter<N>(c, 4),
            beta = Hyperparameter<N>(c, 5)](Slots<N> slots, const N& g) {
      N &v = slots[0], &m = slots[1];
      m = m * beta + g * (N(1.0) - beta);
      v -= lr * scale(base, decay, Sign(g) * Sign(m)) * g;
    };
  });
}
void AddSign(OpContext& c) {
  SignMomentum(c, [](auto alpha, auto decay, auto sign) { return alpha + decay * sign; });
}
void PowerSign(OpContext& c) {
  SignMomentum(c, [](auto logbase, auto decay, auto sign) { return Exp(logbase * decay * sign); });
}

constexpr KernelRow kRows[] = {
    {"ApplyAddSign", AddSign},
    {"ResourceApplyAddSign", AddSign},
    {"ApplyPowerSign", PowerSign},
    {"ResourceApplyPowerSign", PowerSign},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerSignMomentum() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
