// Half the sum of squares.
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
class L2Loss final : public GpuKernel {
 public:
  explicit L2Loss(const Node&) {}
  void Run(GpuContext& context) override {
    Tensor y = context.AllocateOutput(0, Shape());
    QueueFold(context, PlanFold(Shape{context.input(0).elements()}, {true}), context.In<T>(0), context.ViewOf<T>(y),
              HalfOfSquaresFold<T>());
  }
};

constexpr GpuKernelRow kRows[] = {
    {"L2Loss", MakeForType<L2Loss, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> LossL2() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
