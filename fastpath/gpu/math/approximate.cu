// ApproximateEqual.
#include <cmath>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL ApproximateLoop(Global<const T> x, Global<const T> y, Global<bool> z, T tolerance) {
  for (int64_t i = First(); i < z.size; i += Stride()) z[i] = std::abs(x[i] - y[i]) <= tolerance;
}

template <class T>
class ApproximateEqual final : public GpuKernel {
 public:
  explicit ApproximateEqual(const Node& node) : tolerance_(static_cast<T>(GetAttr<float>(node.attrs, "tolerance"))) {}
  void Run(GpuContext& context) override {
    const Tensor &x = context.input(0), &y = context.input(1);
    Require(x.shape() == y.shape(), "x and y must have one shape, not ", x.shape().ToString(), " and ",
            y.shape().ToString());
    Tensor result = context.AllocateOutput(0, x.shape());
    const Global<bool> z = context.ViewOf<bool>(result);
    Launch(context.stream(), LoopOver(z.size), ApproximateLoop<T>, context.In<T>(0), context.In<T>(1), z, tolerance_);
  }

 private:
  const T tolerance_;
};

constexpr GpuKernelRow kRows[] = {
    {"ApproximateEqual", MakeForType<ApproximateEqual, TypeList<float, double>>},
};

}  // namespace

std::span<const GpuKernelRow> MathApproximate() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
