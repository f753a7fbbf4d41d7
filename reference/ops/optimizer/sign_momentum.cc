#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// m = β·m + (1 − β)·g; v −= lr·scale·g, where the scale depends on whether g and m have one sign.
template <class Scale>
void SignMomentum(OpContext& c, Scale scale) {
  UpdateDense<Real>(c, {.slots = 2, .gradient = 6}, [&](auto) {
    return [=, lr = Hyperparameter<Real>(c, 2), base = Hyperparameter<Real>(c, 3), decay = Hyperparameter<Real>(c, 4),
            beta = Hyperparameter<Real>(c, 5)](Slots<Real> slots, const Real& g) {
      Real &v = slots[0], &m = slots[1];
      m = m * beta + g * (Real(1) - beta);
      v -= lr * scale(base, decay, Sign(g) * Sign(m)) * g;
    };
  });
}
void AddSign(OpContext& c) {
  SignMomentum(c, [](Real alpha, Real decay, Real sign) { return alpha + decay * sign; });
}
void PowerSign(OpContext& c) {
  SignMomentum(c, [](Real logbase, Real decay, Real sign) { return Exp(logbase * decay * sign); });
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
