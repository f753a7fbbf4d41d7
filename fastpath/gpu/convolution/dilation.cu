// Dilation2D and its two gradients, which go to where each window found its largest sum.
#include "fastpath/formulas/convolution/window_rules.h"
#include "fastpath/gpu/convolution/max_windows.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/rows/row_lists.h"
#include "fastpath/gpu/lib/rows/segment_folds.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct DilationSize {
  ImageBatch from, to;
  WindowAxis rows, columns;

  // In the filter.
  PLUMB_GPU_WORD int64_t WeightAt(int64_t k, int64_t l, int64_t channel) const {
    return (k * columns.window + l) * from.depth + channel;
  }
};

// The first of the largest sums of a window, and where its two parts stand; -1 where none is above the least number.
// Sums of 16-bit floats are rounded: equal ones are ties.
template <class T>
struct Peak {
  typename Computed<T>::Type sum;
  int64_t input, weight;
};
template <class T>
PLUMB_GPU_INLINE Peak<T> PeakOf(const Global<const T>& x, const Global<const T>& w, const DilationSize& size,
                                const Pixel& at) {
  using V = typename Computed<T>::Type;
  Peak<T> peak{LeastOf<T>(), -1, -1};
  for (int64_t k = 0; k < size.rows.window; ++k) {
    const int64_t row = size.rows.At(at.row, k);
    for (int64_t l = 0; row >= 0 && l < size.columns.window; ++l) {
      const int64_t column = size.columns.At(at.column, l);
      if (column < 0) continue;
      const int64_t input = size.from.At(at.image, row, column, at.channel), weight = size.WeightAt(k, l, at.channel);
      const V exact = Computed<T>::Load(x[input]) + Computed<T>::Load(w[weight]);
      const V sum = Computed<T>::Load(Computed<T>::Store(exact));
      if (sum > peak.sum) peak = {sum, input, weight};
    }
  }
  return peak;
}

template <class T>
PLUMB_GPU_KERNEL Dilate(Global<const T> x, Global<const T> w, Global<T> y, DilationSize size) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    y[i] = Computed<T>::Store(PeakOf<T>(x, w, size, size.to.PixelOf(i)).sum);
  }
}

// Which element of the images, or of the filter, each window's gradient goes to: where no sum was the largest, to the
// first one, which may be beyond the image: -1.
template <class T>
PLUMB_GPU_KERNEL PlacesOfPeaks(Global<const T> x, Global<const T> w, Global<int64_t> places, DilationSize size,
                               bool is_of_filter) {
  for (int64_t i = First(); i < places.size; i += Stride()) {
    const Pixel at = size.to.PixelOf(i);
    const Peak<T> peak = PeakOf<T>(x, w, size, at);
    if (is_of_filter) {
      places[i] = peak.weight >= 0 ? peak.weight : at.channel;
      continue;
    }
    const int64_t top = at.row * size.rows.stride - size.rows.before;
    const int64_t left = at.column * size.columns.stride - size.columns.before;
    const int64_t row = top < 0 ? 0 : top, column = left < 0 ? 0 : left;
    const bool is_inside = row < size.from.rows && column < size.from.columns;
    places[i] = peak.input >= 0 ? peak.input : is_inside ? size.from.At(at.image, row, column, at.channel) : -1;
  }
}

class Dilation : public GpuKernel {
 public:
  explicit Dilation(const Node& node) : node_(node), windows_(Dilated(node)) {}

 protected:
  DilationSize SizeOf(const Shape& images, const Shape& filter) const {
    CheckDilated(images, filter);
    DilationSize size;
    size.from = windows_.BatchOf(images);
    size.rows = windows_.Place(windows_.rows(), size.from.rows, filter[0]);
    size.columns = windows_.Place(windows_.columns(), size.from.columns, filter[1]);
    size.to = size.from.Resized(1, size.rows.output, size.columns.output, size.from.depth);
    return size;
  }

 private:
  // What windows call dilations are rates here.
  static Node Dilated(Node node) {
    CheckDilation(node);
    node.attrs["dilations"] = GetAttr<std::vector<int64_t>>(node.attrs, "rates");
    return node;
  }

  const Node node_;
  const Windows windows_;
};

template <class T>
class Dilation2D final : public Dilation {
 public:
  using Dilation::Dilation;
  void Run(GpuContext& context) override {
    const DilationSize size = SizeOf(context.input(0).shape(), context.input(1).shape());
    Tensor y = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(y.elements()), Dilate<T>, context.In<T>(0), context.In<T>(1),
           context.ViewOf<T>(y), size);
  }
};

template <class T, bool is_of_filter>
class DilationGradient final : public Dilation {
 public:
  using Dilation::Dilation;
  void Run(GpuContext& context) override {
    const DilationSize size = SizeOf(context.input(0).shape(), context.input(1).shape());
    RequireShape(context.input(2), size.to.shape(), "out_backprop");
    Tensor sums = context.AllocateOutput(0, context.input(is_of_filter ? 1 : 0).shape());
    if (sums.elements() == 0) return;
    Tensor places = context.Scratch(DType::kInt64, size.to.shape());
    const auto of = context.ViewOf<int64_t>(places);
    Launch(context.stream(), LoopOver(of.size), PlacesOfPeaks<T>, context.In<T>(0), context.In<T>(1), of, size,
           is_of_filter);
    const RowLists lists = ListRows(context, of, sums.elements());
    const SegmentEntries<int64_t> entries{context.ViewOf<int64_t>(lists.begins), context.ViewOf<int64_t>(lists.counts),
                                          context.ViewOf<int64_t>(lists.rows)};
    FoldSegments<SumFold<T>, int64_t>(context, context.In<T>(2), entries, of.size, context.ViewOf<T>(sums),
                                      SumFold<T>{});
  }
};
template <class T>
using InputGradient = DilationGradient<T, false>;
template <class T>
using FilterGradient = DilationGradient<T, true>;

using DilatedTypes = TypeList<float, double, Half>;

constexpr GpuKernelRow kRows[] = {
    {"Dilation2D", MakeForType<Dilation2D, DilatedTypes>},
    {"Dilation2DBackpropInput", MakeForType<InputGradient, DilatedTypes>},
    {"Dilation2DBackpropFilter", MakeForType<FilterGradient, DilatedTypes>},
};

}  // namespace

std::span<const GpuKernelRow> ConvolutionDilation() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
