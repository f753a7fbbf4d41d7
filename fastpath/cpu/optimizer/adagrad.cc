// Adagrad, dense and by rows (R62, R68).
#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/adagrad.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/state/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/adagrad-inl.h"

UpdateLoop LoopOf(bool update_slots, DType type) {
  return update_slots ? AnalyticLoop<Adagrad<true>>(type) : AnalyticLoop<Adagrad<false>>(type);
}
UpdateLoop LoopOfV2(bool update_slots, DType type) {
  return update_slots ? AnalyticLoop<AdagradV2<true>>(type) : AnalyticLoop<AdagradV2<false>>(type);
}

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);
HWY_EXPORT(LoopOfV2);

constexpr OptimizerInputs kDense{.slots = 2, .gradient = 3, .indices = -1, .scalars = {2}};
constexpr OptimizerInputs kSparse{.slots = 2, .gradient = 3, .indices = 4, .scalars = {2}, .refuses_empty_rows = true};

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeAdagrad(const Node& node) {
  const bool update_slots = GetAttrOr(node.attrs, "update_slots", true);
  return MakeOptimizer(node, inputs, HWY_DYNAMIC_DISPATCH(LoopOf)(update_slots, UpdateType(node, inputs)));
}

constexpr OptimizerInputs kDenseV2{.slots = 2, .gradient = 4, .indices = -1, .scalars = {2, 3}};
constexpr OptimizerInputs kSparseV2{
    .slots = 2, .gradient = 4, .indices = 5, .scalars = {2, 3}, .refuses_empty_rows = true};

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeAdagradV2(const Node& node) {
  const bool update_slots = GetAttr<bool>(node.attrs, "update_slots");
  return MakeOptimizer(node, inputs, HWY_DYNAMIC_DISPATCH(LoopOfV2)(update_slots, UpdateType(node, inputs)));
}

constexpr KernelRow kRows[] = {
    {"ApplyAdagrad", MakeAdagrad<kDense>},
    {"SparseApplyAdagrad", MakeAdagrad<kSparse>},
    {"ResourceApplyAdagrad", MakeAdagrad<kDense>},
    {"ResourceSparseApplyAdagrad", MakeAdagrad<kSparse>},
    {"ApplyAdagradV2", MakeAdagradV2<kDenseV2>},
    {"SparseApplyAdagradV2", MakeAdagradV2<kSparseV2>},
    {"ResourceApplyAdagradV2", MakeAdagradV2<kDenseV2>},
    {"ResourceSparseApplyAdagradV2", MakeAdagradV2<kSparseV2>},
};

}  // namespace

std::span<const KernelRow> OptimizerAdagrad() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
