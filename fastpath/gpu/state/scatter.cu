// Rows of a variable changed by index: of one behind a reference (R23), and of one behind a handle (R45).
#include <vector>

#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/rows/changed_rows.h"
#include "fastpath/gpu/lib/variables/variable_kernel.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// What a slot holds where an update is zero that something is divided by.
constexpr int64_t kZero = -1;

template <class T>
PLUMB_GPU_KERNEL ZeroLoop(Global<const T> divisors, Global<int64_t> slot) {
  for (int64_t i = First(); i < divisors.size; i += Stride()) {
    if (Computed<T>::Load(divisors[i]) == 0) AtomicCas(slot[0], int64_t{0}, kZero);
  }
}

// Updates have one row per index, or are one number for all of them.
bool Fits(const Shape& variable, const Shape& indices, const Shape& updates) {
  if (updates.rank() == 0) return true;
  std::vector<int64_t> wanted = indices.ToVector();
  wanted.insert(wanted.end(), variable.dims().begin() + 1, variable.dims().end());
  return updates.ToVector() == wanted;
}

Refusal RefusalOf(int64_t rows) {
  return [rows](int64_t number) {
    if (number == kZero) return Status(Code::kInvalidArgument, "updates must not contain 0");
    return Status(Code::kInvalidArgument, Str("indices[", number - 1, "] is not in [0, ", rows, ")"));
  };
}

class ScatterKernel final : public VariableKernel {
 public:
  ScatterKernel(const Node& node, Scatter scatter) : VariableKernel(node), scatter_(scatter) {}

 private:
  void RunInside(GpuContext& context, Variable& variable) override {
    const Tensor given = context.input(2);
    context.kernel().Unalias(2);  // it may be rows of this very variable
    const Tensor &indices = context.input(1), &updates = context.input(2);
    if (indices.elements() == 0 && is_resource()) {
      return variable.ReadRows(node_, [&](const Tensor& value) { QueueChecks(context, value); });
    }
    VariableUpdate update(node_, variable);
    const Tensor& value = update.Value();
    const Global<int64_t> slot = QueueChecks(context, value);
    const Shape shape = value.shape();
    Require(Fits(shape, indices.shape(), updates.shape()), Misfit(shape, indices, updates));
    if (indices.elements() == 0) return;
    const NamedRows rows(context, indices, SlicesOf(shape, 1), indices.elements(), shape[0], slot);
    const int64_t width = ElementsIn(shape, 1, shape.rank());
    Tensor& target = update.Writable(0, Access::kSomeRows);
    if (given.is_alias() && !is_resource() && LiesWithin(given, target)) {
      return ChangeRowsByOwn(context, scatter_, rows, width, given, target);
    }
    ChangeRows(context, scatter_, rows, width, updates, target);
  }

  std::string Misfit(const Shape& shape, const Tensor& indices, const Tensor& updates) const {
    return Str("updates of shape ", updates.shape().ToString(), " do not fit indices of shape ",
               indices.shape().ToString(), " into a variable of shape ", shape.ToString());
  }

  // What is asked even where nothing is updated.
  Global<int64_t> QueueChecks(GpuContext& context, const Tensor& value) const {
    const Tensor &indices = context.input(1), &updates = context.input(2);
    if (is_resource()) RequireType(value.dtype(), updates.dtype());
    Require(value.rank() >= 1, "rows of a scalar cannot be updated");
    Require(updates.rank() == 0 || updates.rank() == indices.rank() + value.rank() - 1,
            Misfit(value.shape(), indices, updates));
    const Global<int64_t> slot = context.NewSlot(RefusalOf(value.dim(0)));
    const bool divides = scatter_ == Scatter::kDivide && (is_resource() || IsInteger(updates.dtype()));
    if (divides) {
      ForType(context.node(), updates.dtype(), Reals(), [&](auto tag) {
        using T = typename decltype(tag)::Type;
        Launch(context.stream(), LoopOver(updates.elements()), ZeroLoop<T>, context.ViewOf<T>(updates), slot);
        return true;
      });
    }
    return slot;
  }

  const Scatter scatter_;
};

template <Scatter scatter>
std::unique_ptr<GpuKernel> MakeScatter(const Node& node) {
  return std::make_unique<ScatterKernel>(node, scatter);
}

constexpr GpuKernelRow kRows[] = {
    {"ScatterUpdate", MakeScatter<Scatter::kReplace>},
    {"ScatterAdd", MakeScatter<Scatter::kAdd>},
    {"ScatterSub", MakeScatter<Scatter::kSubtract>},
    {"ScatterMul", MakeScatter<Scatter::kMultiply>},
    {"ScatterDiv", MakeScatter<Scatter::kDivide>},
    {"ScatterMin", MakeScatter<Scatter::kMin>},
    {"ScatterMax", MakeScatter<Scatter::kMax>},
    {"ResourceScatterUpdate", MakeScatter<Scatter::kReplace>},
    {"ResourceScatterAdd", MakeScatter<Scatter::kAdd>},
    {"ResourceScatterSub", MakeScatter<Scatter::kSubtract>},
    {"ResourceScatterMul", MakeScatter<Scatter::kMultiply>},
    {"ResourceScatterDiv", MakeScatter<Scatter::kDivide>},
    {"ResourceScatterMin", MakeScatter<Scatter::kMin>},
    {"ResourceScatterMax", MakeScatter<Scatter::kMax>},
};

}  // namespace

std::span<const GpuKernelRow> StateScatter() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
