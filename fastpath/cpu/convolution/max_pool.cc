// MaxPool and its gradients.
#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/pooling.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

template <SizeChecks kChecks>
class MaxPoolKernel : public PoolingKernel {
 public:
  explicit MaxPoolKernel(const Node& node) : PoolingKernel(node, InputType(node, 0), kChecks) {}

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape(), /*may_be_empty=*/true);
    const Tensor input = Wide(context, context.input(0));
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitReal(ComputeType(dtype_), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = input.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      if (OverChannels()) return PoolChannels(context.pool(), size, x, y);
      ForEachWindowInParallel(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        MaxOfWindow(x + image, pixels, size.depth, LowestOf<T>(dtype_), y + at);
      });
    });
    SetWide(context, std::move(output));
  }

 private:
  template <class T>
  void PoolChannels(ThreadPool& pool, const PoolingSize& size, const T* x, T* y) const {
    const int64_t window = size.channels.window, rows = size.rows.output * size.columns.output * size.batch;
    const WindowAxis &o_axis = size.rows, &p_axis = size.columns;
    pool.ParallelFor(rows, GrainFor(size.depth), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t p = i % p_axis.output, o = i / p_axis.output % o_axis.output,
                      n = i / p_axis.output / o_axis.output;
        const bool inside = o_axis.First(o) < o_axis.Last(o) && p_axis.First(p) < p_axis.Last(p);
        const int64_t pixel = n * size.image() + (o_axis.Start(o) * p_axis.input + p_axis.Start(p)) * size.depth;
        for (int64_t c = 0; c < size.channels.output; ++c) {
          T best = LowestOf<T>(dtype_);
          for (int64_t k = 0; inside && k < window; ++k) {
            best = std::max(best, x[pixel + c * window + k]);
          }
          y[i * size.channels.output + c] = best;
        }
      }
    });
  }
};

// MaxPool refuses explicit_paddings beside another padding, TensorFlow's gradient (MaxPoolingGradOp) does without them.
Node WithoutIdlePaddings(Node node) {
  if (GetAttr<std::string>(node.attrs, "padding") != "EXPLICIT") node.attrs.erase("explicit_paddings");
  return node;
}

class MaxPoolGradKernel : public PoolingKernel {
 public:
  explicit MaxPoolGradKernel(const Node& node)
      : PoolingKernel(WithoutIdlePaddings(node), InputType(node, 0), SizeChecks::kBatchThenDepth) {}

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape(), /*may_be_empty=*/true);
    RequireOutputShape(size, context.input(1).shape(), "orig_output");
    RequireOutputShape(size, context.input(2).shape(), "grad");
    const Tensor input = Wide(context, context.input(0)), gradient = Wide(context, context.input(2));
    Tensor result = AllocateZeros(context.pool(), ComputeType(dtype_), size.input());
    VisitReal(ComputeType(dtype_), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const x = input.data<T>().data(), *const dy = gradient.data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      ForEachWindowByImage(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        AddToMaxOfWindow(x + image, pixels, size.depth, dy + at, dx + image);
      });
    });
    SetWide(context, std::move(result));
  }
};

class MaxPoolGradGradKernel : public PoolingKernel {
 public:
  explicit MaxPoolGradGradKernel(const Node& node)
      : PoolingKernel(node, InputType(node, 0), SizeChecks::kBatchThenDepth) {}

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape(), /*may_be_empty=*/true);
    RequireOutputShape(size, context.input(1).shape(), "orig_output");
    Require(context.input(2).shape() == context.input(0).shape(), "grad has the shape ",
            Printed(context.input(2).shape()), ", the images ", Printed(context.input(0).shape()));
    const Tensor input = Wide(context, context.input(0)), largest = Wide(context, context.input(1));
    const Tensor gradient = Wide(context, context.input(2));
    Tensor result = Allocate(ComputeType(dtype_), size.output());
    VisitReal(ComputeType(dtype_), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const x = input.data<T>().data(), *const y = largest.data<T>().data();
      const T* const dy = gradient.data<T>().data();
      T* const out = result.mutable_data<T>().data();
      ForEachWindowInParallel(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        TakeAtMaxOfWindow(x + image, pixels, size.depth, y + at, dy + image, out + at);
      });
    });
    SetWide(context, std::move(result));
  }

 private:
  // out[c] = values[pixel + c] of the first pixel whose input is largest[c], else 0.
  template <class T>
  static void TakeAtMaxOfWindow(const T* input, WindowPixels pixels, int64_t channels, const T* largest,
                                const T* values, T* out) {
    std::fill(out, out + channels, T(0));
    for (auto pixel = pixels.rbegin(); pixel != pixels.rend(); ++pixel) {
      for (int64_t c = 0; c < channels; ++c) {
        if (input[*pixel + c] == largest[c]) out[c] = values[*pixel + c];
      }
    }
  }
};

// The kernel K of a node whose sizes and strides are its last two inputs: that of the node which has them as
// attributes.
template <class K>
class WithSizesAsInputs : public Kernel {
 public:
  explicit WithSizesAsInputs(const Node& node) : node_(node) {
    K checked(Sized({1, 1, 1, 1}, {1, 1, 1, 1}));  // refuses what no sizes can mend
  }

  void Run(KernelContext& context) override {
    const int last = context.num_inputs() - 1;
    const bool is_gradient = last > 2;  // which asks for ranks first
    for (int i = 0; is_gradient && i < last - 1; ++i) {
      Require(context.input(i).rank() == 4, "input ", i, " must have 4 dimensions, not the shape ",
              Printed(context.input(i).shape()));
    }
    K(Sized(ToInt64s(context.input(last - 1)), ToInt64s(context.input(last)))).Run(context);
  }

 private:
  Node Sized(std::vector<int64_t> ksize, std::vector<int64_t> strides) const {
    Node sized = node_;
    sized.attrs["ksize"] = std::move(ksize);
    sized.attrs["strides"] = std::move(strides);
    return sized;
  }

  const Node node_;
};

constexpr KernelRow kRows[] = {
    {"MaxPool", Make<MaxPoolKernel<SizeChecks::kSizesThenBatch>>},
    {"MaxPoolGrad", Make<MaxPoolGradKernel>},
    {"MaxPoolGradGrad", Make<MaxPoolGradGradKernel>},
    {"MaxPoolV2", Make<WithSizesAsInputs<MaxPoolKernel<SizeChecks::kBatch>>>},
    {"MaxPoolGradV2", Make<WithSizesAsInputs<MaxPoolGradKernel>>},
    {"MaxPoolGradGradV2", Make<WithSizesAsInputs<MaxPoolGradGradKernel>>},
};

}  // namespace

std::span<const KernelRow> ConvolutionMaxPool() { return kRows; }

}  // namespace plumb::fast::cpu
