// Adagrad by dual averaging, dense and by rows (R62, R68).
#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/adagrad_da.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/state/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/proximal-inl.h"

UpdateLoop LoopOf(DType type) { return VectorLoop<AdagradDa>(type); }
UpdateLoop LoopByRowsOf(DType type) { return VectorLoop<AdagradDaByRows>(type); }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);
HWY_EXPORT(LoopByRowsOf);

constexpr OptimizerInputs kDense{.slots = 3, .gradient = 3, .indices = -1, .scalars = {4, 5, 6, 7}};
constexpr OptimizerInputs kSparse{
    .slots = 3, .gradient = 3, .indices = 4, .scalars = {5, 6, 7, 8}, .refuses_empty_rows = true};

std::unique_ptr<Kernel> MakeDense(const Node& node) {
  return MakeOptimizer(node, kDense, HWY_DYNAMIC_DISPATCH(LoopOf)(UpdateType(node, kDense)));
}
std::unique_ptr<Kernel> MakeSparse(const Node& node) {
  return MakeOptimizer(node, kSparse, HWY_DYNAMIC_DISPATCH(LoopByRowsOf)(UpdateType(node, kSparse)));
}

constexpr KernelRow kRows[] = {
    {"ApplyAdagradDA", MakeDense},
    {"SparseApplyAdagradDA", MakeSparse},
    {"ResourceApplyAdagradDA", MakeDense},
    {"ResourceSparseApplyAdagradDA", MakeSparse},
};

}  // namespace

std::span<const KernelRow> OptimizerAdagradDa() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
