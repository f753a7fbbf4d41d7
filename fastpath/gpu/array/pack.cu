// Joining tensors along a new axis, and cutting them apart again.
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Pack final : public GpuKernel {
 public:
  explicit Pack(const Node& node) : axis_(GetAttrOr<int64_t>(node.attrs, "axis", 0)) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    const int count = context.num_inputs();
    if (count == 1) return context.SetOutput(0, context.input(0).Reshaped(shape));  // R31
    const int axis = FromFront(axis_, shape.rank());
    Tensor out = context.AllocateOutput(0, shape);
    const int64_t rows = ElementsIn(shape, 0, axis), run = ElementsIn(shape, axis + 1, shape.rank());
    for (int i = 0; i < count; ++i) {
      CopyRows(context, {rows, run, run, count * run}, context.input(i), 0, out, i * run);
    }
  }

 private:
  const int64_t axis_;
};

class Unpack final : public GpuKernel {
 public:
  explicit Unpack(const Node& node)
      : axis_(GetAttrOr<int64_t>(node.attrs, "axis", 0)), num_(GetAttr<int64_t>(node.attrs, "num")) {}
  void Run(GpuContext& context) override {
    const Tensor value = context.input(0);
    Require(axis_ >= -value.rank() && axis_ < value.rank(), "axis ", axis_, " is not one of the shape ",
            value.shape().ToString());
    const int axis = FromFront(axis_, value.rank());
    Require(value.dim(axis) == num_, "dimension ", axis, " has ", value.dim(axis), " entries, not num = ", num_);
    const int64_t rows = ElementsIn(value.shape(), 0, axis), run = ElementsIn(value.shape(), axis + 1, value.rank());
    if (num_ == 0) return;
    const Shape shape = context.OutputShape(0);
    const bool shares = axis == 0 && SharesRows(value);
    if (num_ == 1 && !shares) return SetUnaliased(context, 0, value, shape);
    for (int i = 0; i < static_cast<int>(num_); ++i) {
      if (shares) {  // R31
        context.SetOutput(i, value.Rows(i, 1).Reshaped(shape));
        continue;
      }
      Tensor part = context.AllocateOutput(i, shape);
      CopyRows(context, {rows, run, num_ * run, run}, value, i * run, part, 0);
    }
  }

 private:
  const int64_t axis_, num_;
};

constexpr GpuKernelRow kRows[] = {
    {"Pack", Make<Pack>},
    {"Unpack", Make<Unpack>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayPack() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
