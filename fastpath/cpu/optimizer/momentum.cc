// Momentum, dense and by rows (R61, R68).
#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/momentum.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/state/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/momentum-inl.h"

UpdateLoop LoopOf(bool nesterov, DType type) {
  return nesterov ? AnalyticLoop<Momentum<true>>(type) : AnalyticLoop<Momentum<false>>(type);
}
UpdateLoop KerasLoopOf(bool nesterov, DType type) {
  return nesterov ? AnalyticLoop<KerasMomentum<true>>(type) : AnalyticLoop<KerasMomentum<false>>(type);
}

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);
HWY_EXPORT(KerasLoopOf);

constexpr OptimizerInputs kDense{.slots = 2, .gradient = 3, .indices = -1, .scalars = {2, 4}};
constexpr OptimizerInputs kSparse{.slots = 2, .gradient = 3, .indices = 4, .scalars = {2, 5}};

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeMomentum(const Node& node) {
  const bool nesterov = GetAttrOr(node.attrs, "use_nesterov", false);
  return MakeOptimizer(node, inputs, HWY_DYNAMIC_DISPATCH(LoopOf)(nesterov, UpdateType(node, inputs)));
}

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeKerasMomentum(const Node& node) {
  const bool nesterov = GetAttr<bool>(node.attrs, "use_nesterov");
  return MakeOptimizer(node, inputs, HWY_DYNAMIC_DISPATCH(KerasLoopOf)(nesterov, UpdateType(node, inputs)));
}

constexpr KernelRow kRows[] = {
    {"ApplyMomentum", MakeMomentum<kDense>},
    {"SparseApplyMomentum", MakeMomentum<kSparse>},
    {"ResourceApplyMomentum", MakeMomentum<kDense>},
    {"ResourceSparseApplyMomentum", MakeMomentum<kSparse>},
    {"ResourceApplyKerasMomentum", MakeKerasMomentum<kDense>},
    {"ResourceSparseApplyKerasMomentum", MakeKerasMomentum<kSparse>},
};

}  // namespace

std::span<const KernelRow> OptimizerMomentum() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
