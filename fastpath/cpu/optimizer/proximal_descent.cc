// Gradient descent that shrinks the variable, dense and by rows (R67, R68).
#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/proximal_descent.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/state/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/proximal-inl.h"

UpdateLoop LoopOf(DType type) { return VectorLoop<ProximalGradientDescent>(type); }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);

constexpr OptimizerInputs kDense{.slots = 1, .gradient = 4, .indices = -1, .scalars = {1, 2, 3}};
constexpr OptimizerInputs kSparse{
    .slots = 1, .gradient = 4, .indices = 5, .scalars = {1, 2, 3}, .refuses_empty_rows = true};

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeProximal(const Node& node) {
  return MakeOptimizer(node, inputs, HWY_DYNAMIC_DISPATCH(LoopOf)(UpdateType(node, inputs)));
}

constexpr KernelRow kRows[] = {
    {"ApplyProximalGradientDescent", MakeProximal<kDense>},
    {"SparseApplyProximalGradientDescent", MakeProximal<kSparse>},
    {"ResourceApplyProximalGradientDescent", MakeProximal<kDense>},
    {"ResourceSparseApplyProximalGradientDescent", MakeProximal<kSparse>},
};

}  // namespace

std::span<const KernelRow> OptimizerProximalDescent() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
