// Ftrl, dense and by rows (R66, R68).
#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/cpu/optimizer/hyperparameters.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/optimizer/ftrl.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/state/update_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

#include "fastpath/formulas/optimizer/ftrl-inl.h"

// The usual power −1/2 has vectors.
template <bool linear_by_lr, bool shrinks, bool by_rows, class N>
void UpdateFtrl(void* const* slots, const void* gradient, const void* scalars, int64_t n) {
  using General = Ftrl<PowerOf, linear_by_lr, shrinks, by_rows>;
  using T = typename Layout<N>::Lane;
  if (static_cast<const T*>(scalars)[General::kPower] == T(-0.5)) {
    UpdateVectors<Ftrl<RootOf, linear_by_lr, shrinks, by_rows>, N>(slots, gradient, scalars, n);
  } else {
    UpdateOneByOne<General, N>(slots, gradient, scalars, n);
  }
}

template <bool linear_by_lr, bool shrinks, bool by_rows>
UpdateLoop LoopFor(DType type) {
  if (type == DType::kFloat) return UpdateFtrl<linear_by_lr, shrinks, by_rows, float>;
  if (type == DType::kDouble) return UpdateFtrl<linear_by_lr, shrinks, by_rows, double>;
  if (type == DType::kHalf) return UpdateFtrl<linear_by_lr, shrinks, by_rows, HalfSteps>;
  if (type == DType::kBfloat16) return UpdateFtrl<linear_by_lr, shrinks, by_rows, BFloat16Steps>;
  return nullptr;
}

template <bool by_rows>
UpdateLoop LoopIn(bool linear_by_lr, bool shrinks, DType type) {
  if (shrinks) return linear_by_lr ? LoopFor<true, true, by_rows>(type) : LoopFor<false, true, by_rows>(type);
  return linear_by_lr ? LoopFor<true, false, by_rows>(type) : LoopFor<false, false, by_rows>(type);
}

UpdateLoop LoopOf(bool linear_by_lr, bool shrinks, bool by_rows, DType type) {
  return by_rows ? LoopIn<true>(linear_by_lr, shrinks, type) : LoopIn<false>(linear_by_lr, shrinks, type);
}

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(LoopOf);

// The second version has l2_shrinkage before lr_power.
constexpr OptimizerInputs kDense{.slots = 3, .gradient = 3, .indices = -1, .scalars = {4, 5, 6, 7}};
constexpr OptimizerInputs kSparse{
    .slots = 3, .gradient = 3, .indices = 4, .scalars = {5, 6, 7, 8}, .refuses_empty_rows = true};
constexpr OptimizerInputs kDenseV2{.slots = 3, .gradient = 3, .indices = -1, .scalars = {4, 5, 6, 7, 8}};
constexpr OptimizerInputs kSparseV2{
    .slots = 3, .gradient = 3, .indices = 4, .scalars = {5, 6, 7, 8, 9}, .refuses_empty_rows = true};

// The dense form does not look.
NumbersCheck CheckOfRows(const Node& node, bool linear_by_lr, bool shrinks) {
  return [=, name = node.name](const KernelContext& context) {
    const double lr = HyperparameterAt(context, 5);
    const double l1 = HyperparameterAt(context, 6), l2 = HyperparameterAt(context, 7);
    const double shrinkage = shrinks ? HyperparameterAt(context, 8) : 0;
    const double power = HyperparameterAt(context, shrinks ? 9 : 8);
    Require(lr > 0 || (linear_by_lr && lr == 0), "lr must be positive, not ", lr);
    Require(l1 >= 0 && l2 >= 0 && shrinkage >= 0, "l1, l2 and l2_shrinkage must not be negative: ", l1, ", ", l2, ", ",
            shrinkage);
    Require(power <= 0, "lr_power must not be positive: ", power);
  };
}

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeFtrl(const Node& node) {
  const bool linear_by_lr = GetAttrOr(node.attrs, "multiply_linear_by_lr", false);
  const bool by_rows = inputs.indices >= 0, shrinks = inputs.scalars.size() == 5;
  const UpdateLoop loop = HWY_DYNAMIC_DISPATCH(LoopOf)(linear_by_lr, shrinks, by_rows, UpdateType(node, inputs));
  return MakeOptimizer(node, inputs, loop, by_rows ? CheckOfRows(node, linear_by_lr, shrinks) : NumbersCheck());
}

constexpr KernelRow kRows[] = {
    {"ApplyFtrl", MakeFtrl<kDense>},
    {"SparseApplyFtrl", MakeFtrl<kSparse>},
    {"ResourceApplyFtrl", MakeFtrl<kDense>},
    {"ResourceSparseApplyFtrl", MakeFtrl<kSparse>},
    {"ApplyFtrlV2", MakeFtrl<kDenseV2>},
    {"SparseApplyFtrlV2", MakeFtrl<kSparseV2>},
    {"ResourceApplyFtrlV2", MakeFtrl<kDenseV2>},
    {"ResourceSparseApplyFtrlV2", MakeFtrl<kSparseV2>},
};

}  // namespace

std::span<const KernelRow> OptimizerFtrl() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
