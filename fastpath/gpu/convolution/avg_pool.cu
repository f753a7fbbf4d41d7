// The mean of each window, and its gradient.
#include "fastpath/gpu/convolution/mean_windows.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
class AvgPool final : public GpuKernel {
 public:
  explicit AvgPool(const Node& node) : pooling_(node, SizeChecks::kBatchThenSizes) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape());
    pooling_.RefuseOverChannels();
    Tensor y = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(y.elements()), MeanOfWindows<T>, context.In<T>(0), context.ViewOf<T>(y), size);
  }

 private:
  const Pooling pooling_;
};

template <class T>
class AvgPoolGrad final : public GpuKernel {
 public:
  explicit AvgPoolGrad(const Node& node) : pooling_(node, SizeChecks::kBatch) {}
  void Run(GpuContext& context) override {
    const Shape images = context.OutputShape(0);
    const Tensor& grad = context.input(1);
    Require(grad.rank() == 4, "grad must have 4 dimensions, not the shape ", grad.shape().ToString());
    Tensor dx = context.AllocateOutput(0, images);
    if (images.elements() == 0) return;  // of which nothing more is asked
    const PoolingSize size = pooling_.SizeOf(images);
    pooling_.RefuseOverChannels();
    if (grad.elements() == 0) return context.Clear(dx);
    RequireShape(grad, size.to.shape(), "grad");
    Launch(context.stream(), LoopOver(dx.elements()), CollectParts<T>, context.In<T>(1), context.ViewOf<T>(dx), size);
  }

 private:
  const Pooling pooling_;
};

using PooledTypes = TypeList<float, double, Half>;

// The gradient's type is that of its second input.
std::unique_ptr<GpuKernel> MakeGrad(const Node& node) {
  return ForType(node, Base(node.input_types[1]), PooledTypes(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<AvgPoolGrad<typename decltype(tag)::Type>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"AvgPool", MakeForType<AvgPool, PooledTypes>},
    {"AvgPoolGrad", MakeGrad},
};

}  // namespace

std::span<const GpuKernelRow> ConvolutionAvgPool() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
