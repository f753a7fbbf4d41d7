// The mean of each window, and its gradient.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/pooling.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// How many elements of the input output o sees.
PLUMB_GPU_INLINE int64_t SeenAlong(const WindowAxis& axis, int64_t o) {
  int64_t count = 0;
  for (int64_t k = 0; k < axis.window; ++k) count += axis.At(o, k) >= 0 ? 1 : 0;
  return count;
}

template <class T>
PLUMB_GPU_KERNEL MeanOfWindows(Global<const T> x, Global<T> y, PoolingSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const Pixel at = size.to.PixelOf(i);
    V sum = 0, count = 0;
    for (int64_t k = 0; k < size.rows.window; ++k) {
      const int64_t row = size.rows.At(at.row, k);
      for (int64_t l = 0; row >= 0 && l < size.columns.window; ++l) {
        const int64_t column = size.columns.At(at.column, l);
        if (column < 0) continue;
        sum += Computed<T>::Load(x[size.from.At(at.image, row, column, at.channel)]);
        count += 1;
      }
    }
    y[i] = Computed<T>::Store(sum / count);
  }
}

// Each pixel collects its part of the windows that see it.
template <class T>
PLUMB_GPU_KERNEL CollectParts(Global<const T> dy, Global<T> dx, PoolingSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const Pixel at = size.from.PixelOf(i);
    V sum = 0;
    for (int64_t k = size.rows.window - 1; k >= 0; --k) {
      const int64_t row = size.rows.SeenBy(at.row, k);
      if (row < 0) continue;
      const int64_t high = SeenAlong(size.rows, row);
      for (int64_t l = size.columns.window - 1; l >= 0; --l) {
        const int64_t column = size.columns.SeenBy(at.column, l);
        if (column < 0) continue;
        const V part = Computed<T>::Load(dy[size.to.At(at.image, row, column, at.channel)]);
        sum += part / static_cast<V>(high * SeenAlong(size.columns, column));
      }
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

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
