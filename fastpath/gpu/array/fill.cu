// Tensors made of one value.
#include <type_traits>

#include "fastpath/gpu/lib/fill.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class ZerosLike final : public GpuKernel {
 public:
  explicit ZerosLike(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    Tensor out = context.ForwardOrAllocate(0, 0, shape);
    context.Clear(out);
  }
};

// The number one of a type, on the host.
Tensor OneOf(const Node& node, DType type) {
  Tensor one(type, Shape());
  VisitType(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_constructible_v<T, float> && !std::is_same_v<T, std::string>) {
      one.mutable_data<T>()[0] = T(1.0F);
    } else {
      ThrowNoGpuKernel(node);
    }
  });
  return one;
}

class OnesLike final : public GpuKernel {
 public:
  explicit OnesLike(const Node& node) : one_(OneOf(node, Base(node.input_types[0]))) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    Tensor out = context.ForwardOrAllocate(0, 0, shape);
    FillWith(context, one_, out);
  }

 private:
  const Tensor one_;
};

class Fill final : public GpuKernel {
 public:
  explicit Fill(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor& value = context.input(1);
    Require(value.elements() == 1 && value.rank() <= 1, "value must be a scalar, not of shape ",
            value.shape().ToString());
    const Tensor& dims = context.input(0);
    Require(dims.rank() <= 1, "dims must be a vector, not of shape ", dims.shape().ToString());
    Tensor out = context.AllocateOutput(0, Shape(ToInt64s(dims)));
    FillFrom(context, value, out);
  }
};

// Zeros, with `init` and, in this house, without it.
class Empty final : public GpuKernel {
 public:
  explicit Empty(const Node&) {}
  void Run(GpuContext& context) override {
    Tensor out = context.AllocateOutput(0, context.OutputShape(0));
    context.Clear(out);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"ZerosLike", Make<ZerosLike>},
    {"OnesLike", Make<OnesLike>},
    {"Fill", Make<Fill>},
    {"Empty", Make<Empty>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayFill() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
