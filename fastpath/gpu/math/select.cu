// Select: t where the condition holds, else e. The condition has their shape, or is a scalar, or one bool per row.
#include <algorithm>

#include "fastpath/gpu/lib/select.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Select final : public GpuKernel {
 public:
  explicit Select(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    const SelectOperand condition(context.input(0)), t(context.input(1)), e(context.input(2));
    const int64_t choices = std::max<int64_t>(1, condition.elements);
    const Shape rows{choices, shape.elements() / choices};
    Tensor z = context.ForwardOrAllocate(1, 0, shape);
    QueueSelect(context, condition, BroadcastWalk(Shape{choices, 1}, Shape{choices, 1}, rows), t, e,
                BroadcastWalk(rows, rows, rows), z);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Select", Make<Select>},
};

}  // namespace

std::span<const GpuKernelRow> MathSelect() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
