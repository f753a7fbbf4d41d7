// The largest of each window, and its gradients.
#include "fastpath/gpu/convolution/max_windows.h"
#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The first of the largest pixels of each window, counted within the window; -1 where there is none.
template <class T>
PLUMB_GPU_KERNEL PlacesOfMax(Global<const T> x, Global<int64_t> places, PoolingSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < places.size; i += Stride()) {
    const Pixel at = size.to.PixelOf(i);
    int64_t place = -1;
    V best = 0;
    for (int64_t k = 0; k < size.rows.window; ++k) {
      const int64_t row = size.rows.At(at.row, k);
      for (int64_t l = 0; row >= 0 && l < size.columns.window; ++l) {
        const int64_t column = size.columns.At(at.column, l);
        if (column < 0) continue;
        const V value = Computed<T>::Load(x[size.from.At(at.image, row, column, at.channel)]);
        if (place >= 0 && !(best < value)) continue;
        best = value;
        place = k * size.columns.window + l;
      }
    }
    places[i] = place;
  }
}

// Each pixel collects from the windows that found it the largest.
template <class T>
PLUMB_GPU_KERNEL CollectAtMax(Global<const T> dy, Global<const int64_t> places, Global<T> dx, PoolingSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const Pixel at = size.from.PixelOf(i);
    V sum = 0;
    for (int64_t k = size.rows.window - 1; k >= 0; --k) {
      const int64_t row = size.rows.SeenBy(at.row, k);
      for (int64_t l = size.columns.window - 1; row >= 0 && l >= 0; --l) {
        const int64_t column = size.columns.SeenBy(at.column, l);
        if (column < 0) continue;
        const int64_t window = size.to.At(at.image, row, column, at.channel);
        if (places[window] == k * size.columns.window + l) sum += Computed<T>::Load(dy[window]);
      }
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

template <class T, SizeChecks kChecks>
class CheckedMaxPool final : public GpuKernel {
 public:
  explicit CheckedMaxPool(const Node& node) : pooling_(node, kChecks) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape(), /*may_be_empty=*/true);
    Tensor y = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(y.elements()), MaxOfWindows<T>, context.In<T>(0), context.ViewOf<T>(y), size);
  }

 private:
  const Pooling pooling_;
};

// MaxPool refuses explicit_paddings beside another padding, TensorFlow's gradient (MaxPoolingGradOp) does without them.
Node WithoutIdlePaddings(Node node) {
  if (GetAttr<std::string>(node.attrs, "padding") != "EXPLICIT") node.attrs.erase("explicit_paddings");
  return node;
}

template <class T>
class MaxPoolGrad final : public GpuKernel {
 public:
  explicit MaxPoolGrad(const Node& node) : pooling_(WithoutIdlePaddings(node), SizeChecks::kBatchThenDepth) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape(), /*may_be_empty=*/true);
    RequireShape(context.input(1), size.to.shape(), "orig_output");
    RequireShape(context.input(2), size.to.shape(), "grad");
    Tensor dx = context.AllocateOutput(0, size.from.shape());
    if (dx.elements() == 0) return;
    Tensor places = context.Scratch(DType::kInt64, size.to.shape());
    const auto found = context.ViewOf<int64_t>(places);
    Launch(context.stream(), LoopOver(found.size), PlacesOfMax<T>, context.In<T>(0), found, size);
    Launch(context.stream(), LoopOver(dx.elements()), CollectAtMax<T>, context.In<T>(2),
           Global<const int64_t>(found.data, found.size), context.ViewOf<T>(dx), size);
  }

 private:
  const Pooling pooling_;
};

template <class T>
class MaxPoolGradGrad final : public GpuKernel {
 public:
  explicit MaxPoolGradGrad(const Node& node) : pooling_(node, SizeChecks::kBatchThenDepth) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape(), /*may_be_empty=*/true);
    RequireShape(context.input(1), size.to.shape(), "orig_output");
    RequireShape(context.input(2), size.from.shape(), "grad");
    Tensor out = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(out.elements()), TakeAtMax<T>, context.In<T>(0), context.In<T>(1),
           context.In<T>(2), context.ViewOf<T>(out), size);
  }

 private:
  const Pooling pooling_;
};

// A kernel whose ksize and strides are the last two inputs, which lie on the host where the result's shape depends on
// them; where it does not, the host waits for them.
template <class K>
class WithSizesAsInputs final : public GpuKernel {
 public:
  explicit WithSizesAsInputs(const Node& node) : node_(node) {}
  void Run(GpuContext& context) override {
    const int sizes = context.num_inputs() - 2;
    Node sized = node_;
    sized.attrs["ksize"] = Numbers(context, sizes);
    sized.attrs["strides"] = Numbers(context, sizes + 1);
    K(sized).Run(context);
  }

 private:
  static std::vector<int64_t> Numbers(GpuContext& context, int i) {
    const Tensor& input = context.input(i);
    return IsOnHost(input) ? ToInt64s(input) : BringNumbers(context, input);
  }

  const Node node_;
};
template <class T>
using MaxPool = CheckedMaxPool<T, SizeChecks::kSizesThenBatch>;
template <class T>
using MaxPoolV2 = WithSizesAsInputs<CheckedMaxPool<T, SizeChecks::kBatch>>;
template <class T>
using MaxPoolGradV2 = WithSizesAsInputs<MaxPoolGrad<T>>;
template <class T>
using MaxPoolGradGradV2 = WithSizesAsInputs<MaxPoolGradGrad<T>>;

constexpr GpuKernelRow kRows[] = {
    {"MaxPool", MakeForType<MaxPool, Floats>},
    {"MaxPoolV2", MakeForType<MaxPoolV2, Floats>},
    {"MaxPoolGrad", MakeForType<MaxPoolGrad, Floats>},
    {"MaxPoolGradGrad", MakeForType<MaxPoolGradGrad, Floats>},
    {"MaxPoolGradV2", MakeForType<MaxPoolGradV2, Floats>},
    {"MaxPoolGradGradV2", MakeForType<MaxPoolGradGradV2, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ConvolutionMaxPool() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
