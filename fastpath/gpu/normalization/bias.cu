// A vector added along the channels, and its gradient.
#include "fastpath/gpu/lib/channels.h"
#include "fastpath/gpu/lib/elementwise.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct BiasedF {
  static constexpr int kTraits = kFloats | kHalves;
  static constexpr bool kMayComplain = false;
  template <class V>
  PLUMB_GPU_WORD V operator()(V value, V bias, Complaint&) const {
    return Add(value, bias);
  }
};

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
    const Walk walk = BroadcastWalk(Shape{view.outer, view.channels, view.inner}, Shape{view.channels, 1},
                                    Shape{view.outer, view.channels, view.inner});
    QueueBinary<BiasedF>(context, value, bias, context.ViewOf<T>(sum), walk);
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
