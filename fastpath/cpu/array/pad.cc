// Pad and PadV2: zeros, or copies of one value, around a tensor.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int kMaxDimensions = 8;

class Pad final : public Kernel {
 public:
  explicit Pad(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    context.Unalias(1);
    const Tensor &x = context.input(0), &paddings = context.input(1);
    if (x.rank() > kMaxDimensions) {  // T9
      throw Unimplemented("a tensor of rank ", x.rank(), " is not padded; the limit is ", kMaxDimensions);
    }
    Require(paddings.rank() == 2 && paddings.dim(0) == x.rank() && paddings.dim(1) == 2,
            "paddings must have the shape [", x.rank(), ",2], not ", paddings.shape().ToString());
    Require(context.num_inputs() == 2 || context.input(2).rank() == 0, "constant_values must be a scalar");
    Dims dims;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const int64_t before = IntAt(paddings, int64_t{2} * axis), after = IntAt(paddings, int64_t{2} * axis + 1);
      Require(before >= 0 && after >= 0, "paddings must not be negative: ", before, " ", after);
      int64_t size = x.dim(axis);
      Require(!__builtin_add_overflow(size, before, &size) && !__builtin_add_overflow(size, after, &size), "dimension ",
              axis, " is too large with its padding");
      dims.Append(size);
    }
    const Shape shape = dims.ToShape();
    if (shape == x.shape()) return context.SetOutput(0, x);  // R31
    context.CopyGuarded(0);
    if (context.num_inputs() > 2) context.CopyGuarded(2);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (context.num_inputs() == 2) {
      FillZero(context.pool(), output);
    } else {
      FillWith(context.pool(), context.input(2).raw(), output);
    }
    if (x.elements() == 0) return;
    const Strides from(x.shape()), to(shape);
    CopyPlan plan;
    int64_t start = 0;
    for (int axis = 0; axis < x.rank(); ++axis) {
      start += IntAt(paddings, int64_t{2} * axis) * to[axis];
      plan.Append(x.dim(axis), from[axis], to[axis]);
    }
    CopyStrided(context.pool(), type_, plan, x.raw(), At(output.mutable_raw(), type_, start));
  }
  bool KeepsAliases() const override { return true; }

 private:
  DType type_;
};

constexpr KernelRow kRows[] = {
    {"Pad", Make<Pad>},
    {"PadV2", Make<Pad>},
};

}  // namespace

std::span<const KernelRow> ArrayPad() { return kRows; }

}  // namespace plumb::fast::cpu
