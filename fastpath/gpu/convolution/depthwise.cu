// Convolutions of each channel on its own: filters [rows, columns, channels, multiplier].
#include <string>
#include <vector>

#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/windows.h"
#include "fastpath/gpu/topics.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct DepthwiseSize {
  ImageBatch from, to;
  WindowAxis rows, columns;
  int64_t multiplier = 0;

  // In the filter, of an output channel.
  PLUMB_GPU_INLINE int64_t WeightAt(int64_t k, int64_t l, int64_t channel) const {
    return (k * columns.window + l) * to.depth + channel;
  }
};

template <class T>
PLUMB_GPU_KERNEL ConvolveChannels(Global<const T> x, Global<const T> w, Global<T> y, DepthwiseSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const Pixel at = size.to.PixelOf(i);
    const int64_t channel = at.channel / size.multiplier;
    V sum = 0;
    for (int64_t k = 0; k < size.rows.window; ++k) {
      const int64_t row = size.rows.At(at.row, k);
      for (int64_t l = 0; row >= 0 && l < size.columns.window; ++l) {
        const int64_t column = size.columns.At(at.column, l);
        if (column < 0) continue;
        const V value = Computed<T>::Load(x[size.from.At(at.image, row, column, channel)]);
        const V weight = Computed<T>::Load(w[size.WeightAt(k, l, at.channel)]);
        sum += value * weight;
      }
    }
    y[i] = Computed<T>::Store(sum);
  }
}

template <class T>
PLUMB_GPU_KERNEL ConvolveBack(Global<const T> w, Global<const T> dy, Global<T> dx, DepthwiseSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const Pixel at = size.from.PixelOf(i);
    V sum = 0;
    for (int64_t k = 0; k < size.rows.window; ++k) {
      const int64_t row = size.rows.SeenBy(at.row, k);
      for (int64_t l = 0; row >= 0 && l < size.columns.window; ++l) {
        const int64_t column = size.columns.SeenBy(at.column, l);
        for (int64_t q = 0; column >= 0 && q < size.multiplier; ++q) {
          const int64_t channel = at.channel * size.multiplier + q;
          const V gradient = Computed<T>::Load(dy[size.to.At(at.image, row, column, channel)]);
          const V weight = Computed<T>::Load(w[size.WeightAt(k, l, channel)]);
          sum += gradient * weight;
        }
      }
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

// Of a weight: over all elements of its channel of dy, each times what the weight meets there.
template <class T>
struct WeightFold : SumFold<T> {
  using Value = typename SumFold<T>::Value;
  Global<const T> x;
  DepthwiseSize size;
  PLUMB_GPU_INLINE Value LoadAt(T dy, int64_t place, int64_t weight) const {
    const Pixel at = size.to.PixelOf(place);
    const int64_t offset = weight / size.to.depth;
    const int64_t row = size.rows.At(at.row, offset / size.columns.window);
    const int64_t column = size.columns.At(at.column, offset % size.columns.window);
    if (row < 0 || column < 0) return Value(0);
    const Value value = Computed<T>::Load(x[size.from.At(at.image, row, column, at.channel / size.multiplier)]);
    return value * Computed<T>::Load(dy);
  }
};

class Depthwise : public GpuKernel {
 public:
  explicit Depthwise(const Node& node) : windows_(WithoutDilations(node)) {
    if (!GetAttrOr<std::string>(node.attrs, "_kernel", "").empty()) ThrowNoGpuKernel(node);  // rule A7
    Require(windows_.stride(windows_.rows()) == windows_.stride(windows_.columns()),
            "strides must be equal along rows and columns");
    Require(windows_.stride(0) == 1 && windows_.stride(windows_.depth()) == 1,
            "strides over batch and channels must be 1");
  }

 protected:
  // TensorFlow's gradients do not look at `dilations`.
  static Node WithoutDilations(const Node& node) {
    Node plain = node;
    plain.attrs.erase("dilations");
    return plain;
  }
  DepthwiseSize SizeOf(const Shape& images, const Shape& filter) const {
    DepthwiseSize size;
    size.from = windows_.BatchOf(images);
    Require(filter.rank() == 4, "a filter has 4 dimensions, not the shape ", filter.ToString());
    Require(size.from.depth == filter[2], "the images have ", size.from.depth, " channels, the filter is for ",
            filter[2]);
    size.multiplier = filter[3];
    size.rows = windows_.Place(windows_.rows(), size.from.rows, filter[0]);
    size.columns = windows_.Place(windows_.columns(), size.from.columns, filter[1]);
    size.to = {size.from.images, size.rows.output, size.columns.output, size.from.depth * filter[3],
               size.from.channels_first};
    return size;
  }

  const Windows windows_;
};

template <class T>
class Forward final : public Depthwise {
 public:
  explicit Forward(const Node& node) : Depthwise(node) {
    for (const int64_t dilation : IntsOfAxes(node, "dilations", 4)) {
      if (dilation != 1) throw Unimplemented("windows dilated by ", dilation);
    }
  }
  void Run(GpuContext& context) override {
    const DepthwiseSize size = SizeOf(context.input(0).shape(), context.input(1).shape());
    Tensor y = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(y.elements()), ConvolveChannels<T>, context.In<T>(0), context.In<T>(1),
           context.ViewOf<T>(y), size);
  }
};

template <class T>
class InputGradient final : public Depthwise {
 public:
  using Depthwise::Depthwise;
  void Run(GpuContext& context) override {
    const DepthwiseSize size = SizeOf(context.OutputShape(0), context.input(1).shape());
    RequireShape(context.input(2), size.to.shape(), "out_backprop");
    Tensor dx = context.AllocateOutput(0, size.from.shape());
    Launch(context.stream(), LoopOver(dx.elements()), ConvolveBack<T>, context.In<T>(1), context.In<T>(2),
           context.ViewOf<T>(dx), size);
  }
};

template <class T>
class FilterGradient final : public Depthwise {
 public:
  using Depthwise::Depthwise;
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    WeightFold<T> fold;
    fold.size = SizeOf(context.input(0).shape(), shape);
    RequireShape(context.input(2), fold.size.to.shape(), "out_backprop");
    fold.x = context.In<T>(0);
    Tensor dw = context.AllocateOutput(0, shape);
    if (dw.elements() == 0) return;
    QueueFold(context, PlanOf(fold.size), context.In<T>(2), context.ViewOf<T>(dw), fold);
  }

 private:
  // For each weight the elements of its channel in the gradient.
  static FoldPlan PlanOf(const DepthwiseSize& size) {
    const int64_t places = size.rows.window * size.columns.window, pixels = size.to.rows * size.to.columns;
    const bool is_first = size.to.channels_first;
    FoldPlan plan;
    plan.results = places * size.to.depth;
    plan.count = size.to.images * pixels;
    plan.is_along_rows = is_first;
    AddAxis(plan.kept, places, 0, 0);
    AddAxis(plan.kept, size.to.depth, is_first ? pixels : 1, 0);
    AddAxis(plan.folded, size.to.images, pixels * size.to.depth, 0);
    AddAxis(plan.folded, pixels, is_first ? 1 : size.to.depth, 0);
    return plan;
  }
};

template <template <class> class K>
std::unique_ptr<GpuKernel> MakeDepthwise(const Node& node) {
  return ForType(node, Base(node.output_types[0]), Floats(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<K<typename decltype(tag)::Type>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"DepthwiseConv2dNative", MakeDepthwise<Forward>},
    {"DepthwiseConv2dNativeBackpropInput", MakeDepthwise<InputGradient>},
    {"DepthwiseConv2dNativeBackpropFilter", MakeDepthwise<FilterGradient>},
};

}  // namespace

std::span<const GpuKernelRow> ConvolutionDepthwise() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
