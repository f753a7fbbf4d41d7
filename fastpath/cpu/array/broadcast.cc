// Shapes that broadcast, and tensors broadcast to a shape.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/broadcast_copy.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Which axes of the broadcast result each operand was repeated along, so that its gradient is summed over them. An axis
// of 1 on both sides counts for both, unless the shapes are equal.
class BroadcastGradientArgs final : public Kernel {
 public:
  explicit BroadcastGradientArgs(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &s0 = context.input(0), &s1 = context.input(1);
    Require(s0.rank() == 1 && s1.rank() == 1, "shapes must be vectors");
    const std::vector<int64_t> x = ToInt64s(s0), y = ToInt64s(s1);
    std::vector<int64_t> x_axes, y_axes;
    if (x != y) {
      const size_t rank = std::max(x.size(), y.size());
      for (size_t axis = 0; axis < rank; ++axis) {
        const int64_t a = axis + x.size() < rank ? 1 : x[axis + x.size() - rank];
        const int64_t b = axis + y.size() < rank ? 1 : y[axis + y.size() - rank];
        Require(a == b || a == 1 || b == 1, "incompatible shapes: ", a, " against ", b, " in dimension ", axis);
        if (a == 1) x_axes.push_back(static_cast<int64_t>(axis));
        if (b == 1) y_axes.push_back(static_cast<int64_t>(axis));
      }
    }
    SetIntVector(context, 0, type_, x_axes);
    SetIntVector(context, 1, type_, y_axes);
  }

 private:
  DType type_;
};

// The shape that two shapes broadcast to.
class BroadcastArgs final : public Kernel {
 public:
  explicit BroadcastArgs(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &s0 = context.input(0), &s1 = context.input(1);
    Require(s0.rank() == 1 && s1.rank() == 1, "shapes must be vectors");
    const bool first_is_longer = s0.elements() >= s1.elements();
    std::vector<int64_t> dims = ToInt64s(first_is_longer ? s0 : s1);
    const Tensor& other = first_is_longer ? s1 : s0;
    const size_t missing = dims.size() - static_cast<size_t>(other.elements());
    for (size_t axis = missing; axis < dims.size(); ++axis) {
      const int64_t a = dims[axis], b = IntAt(other, static_cast<int64_t>(axis - missing));
      Require(a == b || a == 1 || b == 1, "incompatible shapes: ", a, " against ", b, " in dimension ", axis);
      if (a == 1) dims[axis] = b;
    }
    SetIntVector(context, 0, type_, dims);
  }

 private:
  DType type_;
};

class BroadcastTo final : public Kernel {
 public:
  explicit BroadcastTo(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &wanted = context.input(1);
    Require(wanted.rank() == 1, "the shape must be a vector, not of shape ", wanted.shape().ToString());
    Dims dims;
    for (int64_t i = 0; i < wanted.elements(); ++i) dims.Append(IntAt(wanted, i));
    const Shape shape = dims.ToShape();
    if (shape == x.shape()) return context.SetOutput(0, x);  // R31
    context.CopyGuarded(0);
    const Tensor& from = context.input(0);
    const int missing = shape.rank() - from.rank();
    Require(missing >= 0, "the shape ", from.shape().ToString(), " has more dimensions than ", shape.ToString());
    for (int axis = 0; axis < from.rank(); ++axis) {
      Require(from.dim(axis) == shape[missing + axis] || from.dim(axis) == 1, "the shape ", from.shape().ToString(),
              " does not broadcast to ", shape.ToString());
    }
    CopyBroadcast(context.pool(), from, context.AllocateOutput(0, type_, shape));
  }
  bool KeepsAliases() const override { return true; }

 private:
  DType type_;
};

constexpr KernelRow kRows[] = {
    {"BroadcastGradientArgs", Make<BroadcastGradientArgs>},
    {"BroadcastArgs", Make<BroadcastArgs>},
    {"BroadcastTo", Make<BroadcastTo>},
};

}  // namespace

std::span<const KernelRow> ArrayBroadcast() { return kRows; }

}  // namespace plumb::fast::cpu
