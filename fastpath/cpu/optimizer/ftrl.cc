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

bool Shrinks(const OptimizerInputs& inputs) { return inputs.scalars.size() == 5; }

// Looks at its numbers before anything is written; the dense form does not look.
class SparseFtrl final : public Kernel {
 public:
  SparseFtrl(const Node& node, bool shrinks, std::unique_ptr<Kernel> update)
      : node_(node.name),
        linear_by_lr_(GetAttrOr(node.attrs, "multiply_linear_by_lr", false)),
        shrinks_(shrinks),
        update_(std::move(update)) {}

  void Run(KernelContext& context) override {
    const double lr = Number(context, 5), l1 = Number(context, 6), l2 = Number(context, 7);
    const double shrinkage = shrinks_ ? Number(context, 8) : 0, power = Number(context, shrinks_ ? 9 : 8);
    Require(lr > 0 || (linear_by_lr_ && lr == 0), "node ", node_, ": lr must be positive, not ", lr);
    Require(l1 >= 0 && l2 >= 0 && shrinkage >= 0, "node ", node_,
            ": l1, l2 and l2_shrinkage must not be negative: ", l1, ", ", l2, ", ", shrinkage);
    Require(power <= 0, "node ", node_, ": lr_power must not be positive: ", power);
    update_->Run(context);
  }

 private:
  double Number(const KernelContext& context, int input) const { return HyperparameterAt(context, input, node_); }

  const std::string node_;
  const bool linear_by_lr_;
  const bool shrinks_;
  const std::unique_ptr<Kernel> update_;
};

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeFtrl(const Node& node) {
  const bool linear_by_lr = GetAttrOr(node.attrs, "multiply_linear_by_lr", false);
  const bool by_rows = inputs.indices >= 0;
  const UpdateLoop loop =
      HWY_DYNAMIC_DISPATCH(LoopOf)(linear_by_lr, Shrinks(inputs), by_rows, UpdateType(node, inputs));
  return MakeOptimizer(node, inputs, loop);
}

template <const OptimizerInputs& inputs>
std::unique_ptr<Kernel> MakeSparseFtrl(const Node& node) {
  return std::make_unique<SparseFtrl>(node, Shrinks(inputs), MakeFtrl<inputs>(node));
}

constexpr KernelRow kRows[] = {
    {"ApplyFtrl", MakeFtrl<kDense>},
    {"SparseApplyFtrl", MakeSparseFtrl<kSparse>},
    {"ResourceApplyFtrl", MakeFtrl<kDense>},
    {"ResourceSparseApplyFtrl", MakeSparseFtrl<kSparse>},
    {"ApplyFtrlV2", MakeFtrl<kDenseV2>},
    {"SparseApplyFtrlV2", MakeSparseFtrl<kSparseV2>},
    {"ResourceApplyFtrlV2", MakeFtrl<kDenseV2>},
    {"ResourceSparseApplyFtrlV2", MakeSparseFtrl<kSparseV2>},
};

}  // namespace

std::span<const KernelRow> OptimizerFtrl() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
