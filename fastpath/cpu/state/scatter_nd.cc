// Slices of a variable changed by index: of one behind a reference, and of one behind a handle.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/state/resource_kernel.h"
#include "fastpath/cpu/lib/state/scatter_rows.h"
#include "fastpath/cpu/state/nd_rows.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

struct Slices {
  std::vector<int64_t> named;
  int64_t width = 0;
};

// R24: a vector of indices is a column of them. Everything is checked before anything is written.
Slices CheckedSlices(const Shape& shape, const Tensor& indices, const Tensor& updates) {
  Require(shape.rank() >= 1 && indices.rank() >= 1, "a scatter into the shape ", Printed(shape),
          " by indices of shape ", Printed(indices.shape()), ": both need a dimension");
  Require(shape.elements() > 0 || (indices.elements() == 0 && updates.elements() == 0),
          "indices and updates are given for the empty shape ", Printed(shape));
  const int batch = std::max(indices.rank() - 1, 1);
  const int64_t depth = indices.rank() > 1 ? indices.dim(batch) : 1;
  Require((depth >= 1 || shape.elements() == 0) && depth <= shape.rank(), "an index of ", depth,
          " numbers does not fit the shape ", Printed(shape));
  const int first = static_cast<int>(depth);
  std::vector<int64_t> wanted(indices.shape().dims().begin(), indices.shape().dims().begin() + batch);
  wanted.insert(wanted.end(), shape.dims().begin() + first, shape.dims().end());
  Require(updates.shape().ToVector() == wanted, "updates of shape ", Printed(updates.shape()),
          " do not fit indices of shape ", Printed(indices.shape()), " into the shape ", Printed(shape));
  return {SlicesNamed(indices, first, shape), ElementsIn(shape, first, shape.rank())};
}

class ScatterNdKernel final : public Kernel {
 public:
  ScatterNdKernel(const Node& node, Scatter scatter) : node_(node.name), scatter_(scatter) {}

  void Run(KernelContext& context) override {
    const Tensor& given = context.input(2);
    const Tensor updates = Unaliased(given);
    {
      VariableUpdate update(node_, context.ref(0));
      const Slices slices = CheckedSlices(update.Value().shape(), context.input(1), updates);
      if (!slices.named.empty()) {
        Tensor& target = update.Writable(0, Access::kSomeRows);
        const bool is_own = given.is_alias() && IsPartOf(given, target);  // R23: shows what was written before
        ScatterRows(context.pool(), scatter_, target, {slices.named, slices.width}, is_own ? given : updates, is_own);
      }
    }
    context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  const std::string node_;
  const Scatter scatter_;
};

class ResourceScatterNdKernel final : public ResourceKernel {
 public:
  ResourceScatterNdKernel(const Node& node, Scatter scatter) : ResourceKernel(node), scatter_(scatter) {}

  void Run(KernelContext& context) override {
    const Tensor updates = Unaliased(context.input(2));
    const auto variable = Existing(context);
    if (context.input(1).elements() == 0) {
      return variable->ReadRows(node_, [&](const Tensor& value) { Checked(value, context.input(1), updates); });
    }
    VariableUpdate update(node_, *variable);
    const Slices slices = Checked(update.Value(), context.input(1), updates);
    ScatterRows(context.pool(), scatter_, update.Writable(0, Access::kSomeRows), {slices.named, slices.width}, updates,
                /*is_own=*/false);
  }

 private:
  Slices Checked(const Tensor& value, const Tensor& indices, const Tensor& updates) const {
    RequireType(value.dtype(), updates.dtype());
    return CheckedSlices(value.shape(), indices, updates);
  }

  const Scatter scatter_;
};

constexpr KernelRow kRows[] = {
    {"ScatterNdUpdate", MakeWith<ScatterNdKernel, Scatter::kReplace>},
    {"ScatterNdAdd", MakeWith<ScatterNdKernel, Scatter::kAdd>},
    {"ScatterNdSub", MakeWith<ScatterNdKernel, Scatter::kSubtract>},
    {"ScatterNdMax", MakeWith<ScatterNdKernel, Scatter::kMax>},
    {"ScatterNdMin", MakeWith<ScatterNdKernel, Scatter::kMin>},
    {"ResourceScatterNdUpdate", MakeWith<ResourceScatterNdKernel, Scatter::kReplace>},
    {"ResourceScatterNdAdd", MakeWith<ResourceScatterNdKernel, Scatter::kAdd>},
    {"ResourceScatterNdSub", MakeWith<ResourceScatterNdKernel, Scatter::kSubtract>},
    {"ResourceScatterNdMax", MakeWith<ResourceScatterNdKernel, Scatter::kMax>},
    {"ResourceScatterNdMin", MakeWith<ResourceScatterNdKernel, Scatter::kMin>},
};

}  // namespace

std::span<const KernelRow> StateScatterNd() { return kRows; }

}  // namespace plumb::fast::cpu
