// AvgPool and its gradient.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/pooling.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class AvgPoolKernel : public PoolingKernel {
 public:
  explicit AvgPoolKernel(const Node& node) : PoolingKernel(node, InputType(node, 0), SizeChecks::kBatchThenSizes) {}

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape());
    RefuseOverChannels();
    const Tensor input = Wide(context, context.input(0));
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = input.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      ForEachWindowInParallel(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        MeanOfWindow(x + image, pixels, size.depth, y + at);
      });
    });
    SetWide(context, std::move(output));
  }
};

class AvgPoolGradKernel : public PoolingKernel {
 public:
  explicit AvgPoolGradKernel(const Node& node) : PoolingKernel(node, InputType(node, 1), SizeChecks::kBatch) {}

  void Run(KernelContext& context) override {
    const Shape images = ListedShape("orig_input_shape", context.input(0), 4);
    const Shape& grad = context.input(1).shape();
    Require(grad.rank() == 4, "grad must have 4 dimensions, not the shape ", Printed(grad));
    if (images.elements() == 0) {  // of which nothing more is asked
      context.AllocateOutput(0, dtype_, images);
      return;
    }
    const PoolingSize size = SizeOf(images);
    RefuseOverChannels();
    if (grad.elements() == 0) return context.SetOutput(0, AllocateZeros(context.pool(), dtype_, images));
    RequireOutputShape(size, grad, "grad");
    const Tensor gradient = Wide(context, context.input(1));
    Tensor result = AllocateZeros(context.pool(), ComputeType(dtype_), size.input());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const dy = gradient.data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      ForEachWindowByImage(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        AddMeanToWindow(pixels, size.depth, dy + at, dx + image);
      });
    });
    SetWide(context, std::move(result));
  }
};

constexpr KernelRow kRows[] = {
    {"AvgPool", Make<AvgPoolKernel>},
    {"AvgPoolGrad", Make<AvgPoolGradKernel>},
};

}  // namespace

std::span<const KernelRow> ConvolutionAvgPool() { return kRows; }

}  // namespace plumb::fast::cpu
