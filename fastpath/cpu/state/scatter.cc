// Rows of a variable changed by index: of one behind a reference, and of one behind a handle.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/resource_kernel.h"
#include "fastpath/cpu/lib/state/scatter_rows.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {
namespace {

// Every index is checked before anything is written.
std::vector<int64_t> CheckedRows(const Tensor& indices, int64_t limit) {
  std::vector<int64_t> rows = ToInt64s(indices);
  for (size_t i = 0; i < rows.size(); ++i) {
    Require(rows[i] >= 0 && rows[i] < limit, "indices[", i, "] = ", rows[i], " is not in [0, ", limit, ")");
  }
  return rows;
}

int64_t WidthOf(const Shape& variable) { return ElementsIn(variable, 1, variable.rank()); }

// R23, R45: updates have one row per index, or are one number for all of them.
bool Fits(const Shape& variable, const Shape& indices, const Shape& updates) {
  if (updates.rank() == 0) return true;
  std::vector<int64_t> wanted = indices.ToVector();
  wanted.insert(wanted.end(), variable.dims().begin() + 1, variable.dims().end());
  return updates.ToVector() == wanted;
}

void RequireFit(bool fits, const Shape& variable, const Shape& indices, const Shape& updates) {
  Require(fits, "updates of shape ", Printed(updates), " do not fit indices of shape ", Printed(indices),
          " into a variable of shape ", Printed(variable));
}

// R23.
class ScatterKernel final : public Kernel {
 public:
  ScatterKernel(const Node& node, Scatter scatter) : node_(node.name), scatter_(scatter) {}

  void Run(KernelContext& context) override {
    const Tensor &indices = context.input(1), &given = context.input(2);
    const Tensor updates = Unaliased(given);
    {
      VariableUpdate update(node_, context.ref(0));
      const Shape shape = update.Value().shape();
      Require(shape.rank() >= 1, "rows of a scalar cannot be updated");
      RequireFit(Fits(shape, indices.shape(), updates.shape()), shape, indices.shape(), updates.shape());
      const std::vector<int64_t> rows = CheckedRows(indices, shape[0]);
      const int64_t width = WidthOf(shape);
      const bool divides = scatter_ == Scatter::kDivide && IsInteger(updates.dtype()) && !rows.empty() && width > 0;
      Require(!divides || !HasZero(updates), "a row is divided by zero");
      if (!rows.empty()) {
        Tensor& target = update.Writable(0, Access::kSomeRows);
        const bool is_own = given.is_alias() && IsPartOf(given, target);  // R23: shows what was written before
        ScatterRows(context.pool(), scatter_, target, {rows, width}, is_own ? given : updates, is_own);
      }
    }
    context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  const std::string node_;
  const Scatter scatter_;
};

// R45.
class ResourceScatterKernel final : public ResourceKernel {
 public:
  ResourceScatterKernel(const Node& node, Scatter scatter) : ResourceKernel(node), scatter_(scatter) {}

  void Run(KernelContext& context) override {
    const Tensor& indices = context.input(1);
    const Tensor updates = Unaliased(context.input(2));
    const auto variable = Existing(context);
    if (indices.elements() == 0) {
      return variable->ReadRows(node_, [&](const Tensor& value) { Check(value, indices, updates); });
    }
    VariableUpdate update(node_, *variable);
    const Tensor& value = update.Value();
    Check(value, indices, updates);
    const Shape shape = value.rank() == 0 ? Shape({1}) : value.shape();  // a scalar is a row
    RequireFit(Fits(shape, indices.shape(), updates.shape()), shape, indices.shape(), updates.shape());
    const std::vector<int64_t> rows = CheckedRows(indices, shape[0]);
    ScatterRows(context.pool(), scatter_, update.Writable(0, Access::kSomeRows), {rows, WidthOf(shape)}, updates,
                /*is_own=*/false);
  }

 private:
  // What is asked even where nothing is updated.
  void Check(const Tensor& value, const Tensor& indices, const Tensor& updates) const {
    RequireType(value.dtype(), updates.dtype());
    Require(value.rank() >= 1 || updates.rank() == 0, "a scalar is updated by scalars only, not by ",
            Printed(updates.shape()));
    RequireFit(updates.rank() == 0 || updates.rank() == indices.rank() + value.rank() - 1, value.shape(),
               indices.shape(), updates.shape());
    Require(scatter_ != Scatter::kDivide || !HasZero(updates), "updates must not contain 0");
  }

  const Scatter scatter_;
};

constexpr KernelRow kRows[] = {
    {"ScatterUpdate", MakeWith<ScatterKernel, Scatter::kReplace>},
    {"ScatterAdd", MakeWith<ScatterKernel, Scatter::kAdd>},
    {"ScatterSub", MakeWith<ScatterKernel, Scatter::kSubtract>},
    {"ScatterMul", MakeWith<ScatterKernel, Scatter::kMultiply>},
    {"ScatterDiv", MakeWith<ScatterKernel, Scatter::kDivide>},
    {"ScatterMin", MakeWith<ScatterKernel, Scatter::kMin>},
    {"ScatterMax", MakeWith<ScatterKernel, Scatter::kMax>},
    {"ResourceScatterUpdate", MakeWith<ResourceScatterKernel, Scatter::kReplace>},
    {"ResourceScatterAdd", MakeWith<ResourceScatterKernel, Scatter::kAdd>},
    {"ResourceScatterSub", MakeWith<ResourceScatterKernel, Scatter::kSubtract>},
    {"ResourceScatterMul", MakeWith<ResourceScatterKernel, Scatter::kMultiply>},
    {"ResourceScatterDiv", MakeWith<ResourceScatterKernel, Scatter::kDivide>},
    {"ResourceScatterMin", MakeWith<ResourceScatterKernel, Scatter::kMin>},
    {"ResourceScatterMax", MakeWith<ResourceScatterKernel, Scatter::kMax>},
};

}  // namespace

std::span<const KernelRow> StateScatter() { return kRows; }

}  // namespace plumb::fast::cpu
