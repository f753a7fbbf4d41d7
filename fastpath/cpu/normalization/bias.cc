// BiasAdd and its gradient.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/channels.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/reduction/reduce.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

ChannelView ViewOf(const Shape& shape, bool channels_first) {
  Require(shape.rank() >= 2, "channels need at least 2 dimensions, not the shape ", Printed(shape));
  return ChannelView(shape, channels_first);
}

class BiasAddKernel : public Kernel {
 public:
  explicit BiasAddKernel(const Node& node) : channels_first_(ChannelsFirst(node)), dtype_(InputType(node, 0)) {
    add_ = AddLoop(ComputeType(dtype_));
  }

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    const ChannelView view = ViewOf(shape, channels_first_);
    const Shape& bias_shape = context.input(1).shape();
    Require(bias_shape == Shape{view.channels}, "the bias must be a vector of length ", view.channels,
            ", not of shape ", Printed(bias_shape));
    const Tensor bias = AsFloat(context.pool(), context.input(1));
    if (IsHalfWidth(dtype_)) {
      const Tensor value = AsFloat(context.pool(), context.input(0));
      Tensor sum = Allocate(DType::kFloat, shape);
      Add(context.pool(), view, value.raw(), bias.raw(), sum.mutable_raw(), sizeof(float));
      RoundInto(context.pool(), sum, context.AllocateOutput(0, dtype_, shape));
    } else {
      const void* const value = context.input(0).raw();
      Tensor& sum = context.ForwardOrAllocate(0, 0, dtype_, shape);
      Add(context.pool(), view, value, bias.raw(), sum.mutable_raw(), ElementSize(dtype_));
    }
  }

 private:
  void Add(ThreadPool& pool, const ChannelView& view, const void* value, const void* bias, void* sum,
           size_t size) const {
    const int64_t bytes = static_cast<int64_t>(size);
    const char *const x = static_cast<const char*>(value), *const b = static_cast<const char*>(bias);
    char* const y = static_cast<char*>(sum);
    pool.ParallelFor(view.outer, GrainFor(view.step()), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t at = i * view.step() * bytes;
        if (view.inner == 1) {
          add_(x + at, b, y + at, view.channels, Operands::kBoth);
          continue;
        }
        for (int64_t c = 0; c < view.channels; ++c) {
          const int64_t run = at + c * view.inner * bytes;
          add_(x + run, b + c * bytes, y + run, view.inner, Operands::kScalarY);
        }
      }
    });
  }

  const bool channels_first_;
  const DType dtype_;
  BinaryLoop add_;
};

// The sum over all dimensions but the channels.
class BiasAddGradKernel : public Kernel {
 public:
  explicit BiasAddGradKernel(const Node& node)
      : channels_first_(ChannelsFirst(node)), dtype_(InputType(node, 0)), sum_(FindReduction(Fold::kSum, dtype_)) {}

  void Run(KernelContext& context) override {
    const Tensor& gradient = context.input(0);
    const ChannelView view = ViewOf(gradient.shape(), channels_first_);
    std::vector<bool> reduced(static_cast<size_t>(gradient.rank()), true);
    reduced[channels_first_ ? 1 : reduced.size() - 1] = false;
    Tensor sums = Reduce(context.pool(), sum_, gradient, reduced).Reshaped({view.channels});
    context.SetOutput(0, RoundedTo(context.pool(), dtype_, std::move(sums)));
  }

 private:
  const bool channels_first_;
  const DType dtype_;
  const Reduction sum_;
};

constexpr KernelRow kRows[] = {
    {"BiasAdd", Make<BiasAddKernel>},
    {"BiasAddV1", Make<BiasAddKernel>},
    {"BiasAddGrad", Make<BiasAddGradKernel>},
};

}  // namespace

std::span<const KernelRow> NormalizationBias() { return kRows; }

}  // namespace plumb::fast::cpu
