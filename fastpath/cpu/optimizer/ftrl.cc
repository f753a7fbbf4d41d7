// Ftrl, dense and by rows (R66, R68).
#include "fastpath/cpu/lib/optimizer.h"
#include "fastpath/cpu/topics.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/ftrl.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/ftrl-inl.h"

constexpr int kPower = 3;  // which scalar is lr_power

// The usual power −1/2 has vectors.
template <bool linear_by_lr, class T>
void UpdateFtrl(void* const* slots, const void* gradient, const void* scalars, int64_t n) {
  if (static_cast<const T*>(scalars)[kPower] == T(-0.5)) {
    UpdateVectors<Ftrl<RootOf, linear_by_lr>, T>(slots, gradient, scalars, n);
  } else {
    UpdateOneByOne<Ftrl<PowerOf, linear_by_lr>, T>(slots, gradient, scalars, n);
  }
}

UpdateLoop LoopOf(bool linear_by_lr, DType type) {
  if (type == DType::kFloat) return linear_by_lr ? UpdateFtrl<true, float> : UpdateFtrl<false, float>;
  if (type == DType::kDouble) return linear_by_lr ? UpdateFtrl<true, double> : UpdateFtrl<false, double>;
  return nullptr;
}

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);

constexpr OptimizerInputs kDense{.slots = 3, .gradient = 3, .indices = -1, .scalars = {4, 5, 6, 7}};
constexpr OptimizerInputs kSparse{.slots = 3, .gradient = 3, .indices = 4, .scalars = {5, 6, 7, 8}};

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeFtrl(const Node& node) {
  const bool linear_by_lr = GetAttrOr(node.attrs, "multiply_linear_by_lr", false);
  return MakeOptimizer(node, inputs, HWY_DYNAMIC_DISPATCH(LoopOf)(linear_by_lr, UpdateType(node, inputs)));
}

constexpr KernelRow kRows[] = {
    {"ApplyFtrl", MakeFtrl<kDense>},
    {"SparseApplyFtrl", MakeFtrl<kSparse>},
};

}  // namespace

std::span<const KernelRow> OptimizerFtrl() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
