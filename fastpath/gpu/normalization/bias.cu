// A vector added along the channels, and its gradient.
#include "fastpath/gpu/lib/channels.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL AddBias(Global<const T> value, Global<const T> bias, Global<T> sum, int64_t inner) {
  for (int64_t i = First(); i < sum.size; i += Stride()) {
    const auto own = Computed<T>::Load(bias[i / inner % bias.size]);
    sum[i] = Computed<T>::Store(Computed<T>::Load(value[i]) + own);
  }
}

template <class T>
class BiasAdd final : public GpuKernel {
 public:
  explicit BiasAdd(const Node& node) : channels_first_(HasChannelsFirst(node)) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    const ChannelView view(shape, channels_first_);
    Require(context.input(1).shape() == Shape{view.channels}, "the bias must be a vector of length ", view.channels,
            ", not of shape ", context.input(1).shape().ToString());
    const Global<const T> value = context.In<T>(0), bias = context.In<T>(1);
    Tensor sum = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(sum.elements()), AddBias<T>, value, bias, context.ViewOf<T>(sum), view.inner);
  }

 private:
  const bool channels_first_;
};

template <class T>
class BiasAddGrad final : public GpuKernel {
 public:
  explicit BiasAddGrad(const Node& node) : channels_first_(HasChannelsFirst(node)) {}
  void Run(GpuContext& context) override {
    const ChannelView view(context.input(0).shape(), channels_first_);
    Tensor sums = context.AllocateOutput(0, Shape{view.channels});
    QueueFold(context, view.FoldToChannels(), context.In<T>(0), context.ViewOf<T>(sums), SumFold<T>());
  }

 private:
  const bool channels_first_;
};

constexpr GpuKernelRow kRows[] = {
    {"BiasAdd", MakeForType<BiasAdd, Floats>},
    {"BiasAddV1", MakeForType<BiasAdd, Floats>},
    {"BiasAddGrad", MakeForType<BiasAddGrad, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> NormalizationBias() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
