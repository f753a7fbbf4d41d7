// Gather and GatherV2: rows picked by index.
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/rows/gathered.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class GatherKernel final : public GpuKernel {
 public:
  explicit GatherKernel(const Node& node) : batch_dims_(GetAttrOr<int64_t>(node.attrs, "batch_dims", 0)) {}

  void Run(GpuContext& context) override {
    const Tensor params = context.input(0), indices = context.input(1);
    const Shape shape = context.OutputShape(0);
    const int axis = context.num_inputs() > 2 ? FromFront(NumberIn(context.input(2)), params.rank()) : 0;
    const int batch = FromFront(batch_dims_, indices.rank());
    Require(batch <= axis, "batch_dims ", batch, " must not be above the axis ", axis);
    Tensor result = context.AllocateOutput(0, shape);
    if (shape.elements() == 0) return;
    GatherSizes sizes;
    sizes.outer = ElementsIn(params.shape(), batch, axis);
    sizes.limit = params.dim(axis);
    sizes.count = ElementsIn(indices.shape(), batch, indices.rank());
    sizes.inner = ElementsIn(params.shape(), axis + 1, params.rank());
    Gather(context, params, indices, sizes, result);
  }

 private:
  const int64_t batch_dims_;
};

constexpr GpuKernelRow kRows[] = {
    {"Gather", Make<GatherKernel>},
    {"GatherV2", Make<GatherKernel>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayGather() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
