// Cutting a tensor apart along an axis.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/rows.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/array/split_sizes.h"

namespace plumb::fast::cpu {
namespace {

// Cuts an input along `axis` into outputs of the given sizes, which add up to the dimension.
void CutApart(KernelContext& context, int input, int axis, const std::vector<int64_t>& sizes) {
  const Tensor& value = context.input(input);
  if (sizes.size() == 1) {
    context.SetOutput(0, value);
    return;
  }
  if (axis == 0 && SharesRows(value)) {  // R31
    int64_t first = 0;
    for (size_t i = 0; i < sizes.size(); first += sizes[i++]) {
      context.SetOutput(static_cast<int>(i), value.Rows(first, sizes[i]));
    }
    return;
  }
  context.CopyGuarded(input);
  const int64_t rows = ElementsIn(value.shape(), 0, axis), row = ElementsIn(value.shape(), axis, value.rank());
  const int64_t inner = ElementsIn(value.shape(), axis + 1, value.rank());
  Dims dims(value.shape());
  int64_t offset = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    dims[axis] = sizes[i];
    const int64_t run = sizes[i] * inner;
    Tensor& output = context.AllocateOutput(static_cast<int>(i), value.dtype(), dims.ToShape());
    CopyRows(context.pool(), value.dtype(), {rows, run}, At(value.raw(), value.dtype(), offset), row,
             output.mutable_raw(), run);
    offset += run;
  }
}

class Split final : public Kernel {
 public:
  explicit Split(const Node& node) : num_(GetAttr<int64_t>(node.attrs, "num_split")) {
    Require(num_ >= 1, "num_split must be at least 1, and is ", num_);
  }
  void Run(KernelContext& context) override {
    const Tensor &axis_tensor = context.input(0), &value = context.input(1);
    Require(axis_tensor.rank() == 0, "split_dim must be a scalar, not of shape ", axis_tensor.shape().ToString());
    const int axis = NormalizeAxis(IntAt(axis_tensor, 0), value.rank(), "split_dim");
    Require(value.dim(axis) % num_ == 0, "dimension ", axis, " of size ", value.dim(axis), " cannot be cut into ", num_,
            " equal parts");
    CutApart(context, 1, axis, std::vector<int64_t>(static_cast<size_t>(num_), value.dim(axis) / num_));
  }
  bool KeepsAliases() const override { return true; }

 private:
  int64_t num_;
};

class SplitV final : public Kernel {
 public:
  explicit SplitV(const Node& node) : num_(GetAttr<int64_t>(node.attrs, "num_split")) {
    Require(num_ >= 1, "num_split must be at least 1, and is ", num_);
  }
  void Run(KernelContext& context) override {
    const Tensor &value = context.input(0), &sizes = context.input(1), &axis_tensor = context.input(2);
    Require(axis_tensor.elements() == 1, "split_dim must be a scalar, not of shape ", axis_tensor.shape().ToString());
    const int axis = NormalizeAxis(IntAt(axis_tensor, 0), value.rank(), "split_dim");
    CutApart(context, 0, axis, SplitSizes(sizes, num_, value.dim(axis)));
  }
  bool KeepsAliases() const override { return true; }

 private:
  int64_t num_;
};

constexpr KernelRow kRows[] = {
    {"Split", Make<Split>},
    {"SplitV", Make<SplitV>},
};

}  // namespace

std::span<const KernelRow> ArraySplit() { return kRows; }

}  // namespace plumb::fast::cpu
