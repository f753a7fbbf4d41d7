// Pad and PadV2: zeros, or copies of one value, around a tensor.
#include <vector>

#include "fastpath/gpu/lib/fill.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Pad final : public GpuKernel {
 public:
  explicit Pad(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    if (x.rank() > 8) throw Unimplemented("a tensor of rank ", x.rank(), " is not padded; the limit is 8");  // T9
    const Shape shape = context.OutputShape(0);
    Require(context.num_inputs() == 2 || context.input(2).rank() == 0, "constant_values must be a scalar");
    const std::vector<int64_t> amounts = ToInt64s(context.input(1));
    if (shape == x.shape()) return context.SetOutput(0, x);  // R31
    Tensor out = context.AllocateOutput(0, shape);
    if (context.num_inputs() == 2) {
      context.Clear(out);
    } else {
      FillFrom(context, context.input(2), out);
    }
    Walk walk;
    int64_t first = 0;
    for (int axis = 0; axis < x.rank(); ++axis) {
      first += amounts[static_cast<size_t>(2 * axis)] * StrideAlong(shape, axis);
      AddAxis(walk, x.dim(axis), StrideAlong(x.shape(), axis), StrideAlong(shape, axis));
    }
    CopyAlong(context, walk, x, 0, out, first);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Pad", Make<Pad>},
    {"PadV2", Make<Pad>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayPad() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
