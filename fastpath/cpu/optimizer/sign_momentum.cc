// AddSign and PowerSign: gradients weighed by the sign of their running mean (R61).
#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/sign_momentum.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/state/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/sign_momentum-inl.h"

UpdateLoop LoopOf(bool power, DType type) { return power ? VectorLoop<PowerSign>(type) : VectorLoop<AddSign>(type); }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);

constexpr OptimizerInputs kInputs{.slots = 2, .gradient = 6, .indices = -1, .scalars = {2, 3, 4, 5}};

template <bool power>
std::unique_ptr<Kernel> MakeSign(const Node& node) {
  return MakeOptimizer(node, kInputs, HWY_DYNAMIC_DISPATCH(LoopOf)(power, UpdateType(node, kInputs)));
}

constexpr KernelRow kRows[] = {
    {"ApplyAddSign", MakeSign<false>},
    {"ResourceApplyAddSign", MakeSign<false>},
    {"ApplyPowerSign", MakeSign<true>},
    {"ResourceApplyPowerSign", MakeSign<true>},
};

}  // namespace

std::span<const KernelRow> OptimizerSignMomentum() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
