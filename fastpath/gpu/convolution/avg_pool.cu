// The mean of each window, and its gradient.
#include "fastpath/gpu/convolution/mean_windows.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
class AvgPool final : public GpuKernel {
 public:
  explicit AvgPool(const Node& node) : pooling_(node) { pooling_.RefuseOverChannels(); }
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape());
    Tensor y = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(y.elements()), MeanOfWindows<T>, context.In<T>(0), context.ViewOf<T>(y), size);
  }

 private:
  const Pooling pooling_;
};

template <class T>
class AvgPoolGrad final : public GpuKernel {
 public:
  explicit AvgPoolGrad(const Node& node) : pooling_(node) { pooling_.RefuseOverChannels(); }
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.OutputShape(0));
    RequireShape(context.input(1), size.to.shape(), "grad");
    Tensor dx = context.AllocateOutput(0, size.from.shape());
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
