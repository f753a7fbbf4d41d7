// Tensors broadcast to a shape.
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class BroadcastTo final : public GpuKernel {
 public:
  explicit BroadcastTo(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0), wanted = context.input(1);
    Require(wanted.rank() == 1, "the shape must be a vector, not of shape ", wanted.shape().ToString());
    const Shape shape(ToInt64s(wanted));
    if (shape == x.shape()) return context.SetOutput(0, x);  // R31
    const int missing = shape.rank() - x.rank();
    Require(missing >= 0, "the shape ", x.shape().ToString(), " has more dimensions than ", shape.ToString());
    for (int axis = 0; axis < x.rank(); ++axis) {
      Require(x.dim(axis) == shape[missing + axis] || x.dim(axis) == 1, "the shape ", x.shape().ToString(),
              " does not broadcast to ", shape.ToString());
    }
    Tensor out = context.AllocateOutput(0, shape);
    if (shape.elements() > 0) CopyAlong(context, BroadcastWalk(x.shape(), shape, shape), x, 0, out, 0);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"BroadcastTo", Make<BroadcastTo>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayBroadcast() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
