// SelectV2: t where the condition holds, else e, all three broadcast.
#include "fastpath/gpu/lib/select.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class SelectV2 final : public GpuKernel {
 public:
  explicit SelectV2(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    const Tensor &condition = context.input(0), &t = context.input(1), &e = context.input(2);
    const Walk choice = BroadcastWalk(condition.shape(), condition.shape(), shape);
    const Walk values = BroadcastWalk(t.shape(), e.shape(), shape);
    Tensor z = context.AllocateOutput(0, shape);
    QueueSelect(context, SelectOperand(condition), choice, SelectOperand(t), SelectOperand(e), values, z);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"SelectV2", Make<SelectV2>},
};

}  // namespace

std::span<const GpuKernelRow> MathSelectV2() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
