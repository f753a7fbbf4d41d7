// Adagrad that shrinks the variable, dense and by rows (R67, R68).
#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/cpu/optimizer/hyperparameters.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/proximal_adagrad.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/state/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/proximal-inl.h"

UpdateLoop LoopOf(DType type) { return VectorLoop<ProximalAdagrad>(type); }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);

constexpr OptimizerInputs kDense{.slots = 2, .gradient = 5, .indices = -1, .scalars = {2, 3, 4}};
constexpr OptimizerInputs kSparse{
    .slots = 2, .gradient = 5, .indices = 6, .scalars = {2, 3, 4}, .refuses_empty_rows = true};

NumbersCheck CheckFor(const Node& node) {
  return [name = node.name](const KernelContext& context) {
    const double lr = HyperparameterAt(context, 2);
    const double l1 = HyperparameterAt(context, 3), l2 = HyperparameterAt(context, 4);
    Require(lr > 0, "lr must be positive, not ", lr);
    Require(l1 >= 0 && l2 >= 0, "l1 and l2 must not be negative: ", l1, ", ", l2);
  };
}

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeProximal(const Node& node) {
  return MakeOptimizer(node, inputs, HWY_DYNAMIC_DISPATCH(LoopOf)(UpdateType(node, inputs)), CheckFor(node));
}

constexpr KernelRow kRows[] = {
    {"ApplyProximalAdagrad", MakeProximal<kDense>},
    {"SparseApplyProximalAdagrad", MakeProximal<kSparse>},
    {"ResourceApplyProximalAdagrad", MakeProximal<kDense>},
    {"ResourceSparseApplyProximalAdagrad", MakeProximal<kSparse>},
};

}  // namespace

std::span<const KernelRow> OptimizerProximalAdagrad() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
