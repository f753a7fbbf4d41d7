// Adam (R65).
#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/adam.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/state/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/adam-inl.h"

UpdateLoop LoopOf(bool nesterov, DType type) {
  return nesterov ? AnalyticLoop<Adam<true>>(type) : AnalyticLoop<Adam<false>>(type);
}
UpdateLoop AmsgradLoopOf(DType type) { return VectorLoop<Amsgrad>(type); }
UpdateLoop AdaMaxLoopOf(DType type) { return VectorLoop<AdaMax>(type); }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);
HWY_EXPORT(AmsgradLoopOf);
HWY_EXPORT(AdaMaxLoopOf);

constexpr OptimizerInputs kInputs{.slots = 3, .gradient = 9, .indices = -1, .scalars = {3, 4, 5, 6, 7, 8}};

std::unique_ptr<Kernel> MakeAdam(const Node& node) {
  const bool nesterov = GetAttr<bool>(node.attrs, "use_nesterov");
  return MakeOptimizer(node, kInputs, HWY_DYNAMIC_DISPATCH(LoopOf)(nesterov, UpdateType(node, kInputs)));
}

constexpr OptimizerInputs kAmsgrad{.slots = 4, .gradient = 10, .indices = -1, .scalars = {4, 5, 6, 7, 8, 9}};
constexpr OptimizerInputs kAdaMax{.slots = 3, .gradient = 8, .indices = -1, .scalars = {3, 4, 5, 6, 7}};

std::unique_ptr<Kernel> MakeAmsgrad(const Node& node) {
  return MakeOptimizer(node, kAmsgrad, HWY_DYNAMIC_DISPATCH(AmsgradLoopOf)(UpdateType(node, kAmsgrad)));
}
std::unique_ptr<Kernel> MakeAdaMax(const Node& node) {
  return MakeOptimizer(node, kAdaMax, HWY_DYNAMIC_DISPATCH(AdaMaxLoopOf)(UpdateType(node, kAdaMax)));
}

constexpr KernelRow kRows[] = {
    {"ApplyAdam", MakeAdam},     {"ResourceApplyAdam", MakeAdam},     {"ResourceApplyAdamWithAmsgrad", MakeAmsgrad},
    {"ApplyAdaMax", MakeAdaMax}, {"ResourceApplyAdaMax", MakeAdaMax},
};

}  // namespace

std::span<const KernelRow> OptimizerAdam() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
