// Slices of a variable changed by index (R24, R45): of one behind a reference, and of one behind a handle.
#include <algorithm>
#include <vector>

#include "fastpath/gpu/lib/rows/changed_rows.h"
#include "fastpath/gpu/lib/variables/variable_kernel.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The slices that indices of this shape name, as far as shapes say. A vector of indices is a column of them.
Slices CheckedSlices(const Shape& shape, const Shape& indices, const Shape& updates) {
  Require(shape.rank() >= 1 && indices.rank() >= 1, "a scatter into the shape ", shape.ToString(),
          " by indices of shape ", indices.ToString(), ": both need a dimension");
  Require(shape.elements() > 0 || (indices.elements() == 0 && updates.elements() == 0),
          "indices and updates are given for the empty shape ", shape.ToString());
  const int batch = std::max(indices.rank() - 1, 1);
  const int64_t depth = indices.rank() > 1 ? indices[batch] : 1;
  Require((depth >= 1 || shape.elements() == 0) && depth <= shape.rank(), "an index of ", depth,
          " numbers does not fit the shape ", shape.ToString());
  std::vector<int64_t> wanted(indices.dims().begin(), indices.dims().begin() + batch);
  wanted.insert(wanted.end(), shape.dims().begin() + static_cast<int>(depth), shape.dims().end());
  Require(updates.ToVector() == wanted, "updates of shape ", updates.ToString(), " do not fit indices of shape ",
          indices.ToString(), " into the shape ", shape.ToString());
  return SlicesOf(shape, depth);
}

class ScatterNdKernel final : public VariableKernel {
 public:
  ScatterNdKernel(const Node& node, Scatter scatter) : VariableKernel(node), scatter_(scatter) {}

 private:
  void RunInside(GpuContext& context, Variable& variable) override {
    const Tensor given = context.input(2);
    context.kernel().Unalias(2);  // it may be slices of this very variable
    if (context.input(1).elements() == 0 && is_resource()) {
      return variable.ReadRows(node_, [&](const Tensor& value) { Checked(context, value); });
    }
    VariableUpdate update(node_, variable);
    const Slices slices = Checked(context, update.Value());
    const Tensor indices = context.input(1);
    if (indices.elements() == 0) return;
    const Shape shape = update.Value().shape();
    const int64_t updates = indices.elements() / slices.depth, inner = std::max<int64_t>(1, slices.inner);
    const NamedRows rows(context, indices, slices, updates, shape.elements() / inner,
                         context.NewSlot(OutsideOf(shape)));
    Tensor& target = update.Writable(0, Access::kSomeRows);
    if (given.is_alias() && !is_resource() && LiesWithin(given, target)) {
      return ChangeRowsByOwn(context, scatter_, rows, slices.inner, given, target);
    }
    ChangeRows(context, scatter_, rows, slices.inner, context.input(2), target);
  }

  Slices Checked(const GpuContext& context, const Tensor& value) const {
    if (is_resource()) RequireType(value.dtype(), context.input(2).dtype());
    return CheckedSlices(value.shape(), context.input(1).shape(), context.input(2).shape());
  }

  const Scatter scatter_;
};

template <Scatter scatter>
std::unique_ptr<GpuKernel> MakeScatter(const Node& node) {
  return std::make_unique<ScatterNdKernel>(node, scatter);
}

constexpr GpuKernelRow kRows[] = {
    {"ScatterNdUpdate", MakeScatter<Scatter::kReplace>},  {"ScatterNdAdd", MakeScatter<Scatter::kAdd>},
    {"ScatterNdSub", MakeScatter<Scatter::kSubtract>},    {"ScatterNdMax", MakeScatter<Scatter::kMax>},
    {"ScatterNdMin", MakeScatter<Scatter::kMin>},         {"ResourceScatterNdUpdate", MakeScatter<Scatter::kReplace>},
    {"ResourceScatterNdAdd", MakeScatter<Scatter::kAdd>}, {"ResourceScatterNdSub", MakeScatter<Scatter::kSubtract>},
    {"ResourceScatterNdMax", MakeScatter<Scatter::kMax>}, {"ResourceScatterNdMin", MakeScatter<Scatter::kMin>},
};

}  // namespace

std::span<const GpuKernelRow> StateScatterNd() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
