// Shapes as values, which lie on the host (W16).
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

void StoreInt(Tensor& tensor, int64_t i, int64_t value) {
  if (tensor.dtype() == DType::kInt64) {
    tensor.mutable_data<int64_t>()[i] = value;
    return;
  }
  Require(value <= std::numeric_limits<int32_t>::max(), "the size ", value, " does not fit into int32; ask for int64");
  tensor.mutable_data<int32_t>()[i] = static_cast<int32_t>(value);
}

class ShapeOf final : public GpuKernel {
 public:
  explicit ShapeOf(const Node&) {}
  void Run(GpuContext& context) override {
    for (int i = 0; i < context.num_inputs(); ++i) {
      const Shape& shape = context.input(i).shape();
      Tensor sizes = Allocate(context.node().output_types[i], Shape({shape.rank()}));
      for (int axis = 0; axis < shape.rank(); ++axis) StoreInt(sizes, axis, shape[axis]);
      context.SetHostOutput(i, std::move(sizes));
    }
  }
};

class NumberOf final : public GpuKernel {
 public:
  explicit NumberOf(const Node& node) : is_rank_(node.op->name == "Rank") {}
  void Run(GpuContext& context) override {
    const Tensor& input = context.input(0);
    Tensor number = Allocate(context.node().output_types[0], Shape());
    StoreInt(number, 0, is_rank_ ? input.rank() : input.elements());
    context.SetHostOutput(0, std::move(number));
  }

 private:
  const bool is_rank_;
};

constexpr GpuKernelRow kRows[] = {
    {"Shape", Make<ShapeOf>},
    {"ShapeN", Make<ShapeOf>},
    {"Size", Make<NumberOf>},
    {"Rank", Make<NumberOf>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayShape() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
