// MaxPool3D, AvgPool3D and their gradients: the loops of pooling in the plane, over windows that are boxes.
#include "fastpath/formulas/convolution/window_rules.h"
#include "fastpath/gpu/convolution/max_windows.h"
#include "fastpath/gpu/convolution/mean_windows.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// How close to a window's output an element has to be to count as the one that was taken. Every such element gets the
// window's whole gradient.
constexpr float kClose = 1e-5F;

// Each pixel collects from the windows to whose output it comes close.
template <class T>
PLUMB_GPU_KERNEL CollectWhereClose(Global<const T> x, Global<const T> largest, Global<const T> dy, Global<T> dx,
                                   PoolingSize size) {
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const Pixel at = size.from.PixelOf(i);
    using V = typename Computed<T>::Type;
    const V here = Computed<T>::Load(x[i]);
    V sum = 0;
    for (int64_t j = size.planes.window - 1; j >= 0; --j) {
      const int64_t plane = size.planes.SeenBy(at.plane, j);
      for (int64_t k = size.rows.window - 1; plane >= 0 && k >= 0; --k) {
        const int64_t row = size.rows.SeenBy(at.row, k);
        for (int64_t l = size.columns.window - 1; row >= 0 && l >= 0; --l) {
          const int64_t column = size.columns.SeenBy(at.column, l);
          if (column < 0) continue;
          const int64_t window = size.to.At(at.image, plane, row, column, at.channel);
          if (Abs(here - Computed<T>::Load(largest[window])) < kClose) sum += Computed<T>::Load(dy[window]);
        }
      }
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

class VolumePool : public GpuKernel {
 public:
  // Gradients ask for the sizes of windows last.
  VolumePool(const Node& node, bool is_gradient) : pooling_(node, !is_gradient) {}

 protected:
  const Pooling pooling_;
};

template <class T>
class MaxPool3D final : public VolumePool {
 public:
  explicit MaxPool3D(const Node& node) : VolumePool(node, false) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape());
    Tensor y = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(y.elements()), MaxOfWindows<T>, context.In<T>(0), context.ViewOf<T>(y), size);
  }
};

template <class T>
class MaxPool3DGrad final : public VolumePool {
 public:
  explicit MaxPool3DGrad(const Node& node) : VolumePool(node, true) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape());
    RequireShape(context.input(1), size.to.shape(), "orig_output");
    RequireShape(context.input(2), size.to.shape(), "grad");
    Tensor dx = context.AllocateOutput(0, size.from.shape());
    Launch(context.stream(), LoopOver(dx.elements()), CollectWhereClose<T>, context.In<T>(0), context.In<T>(1),
           context.In<T>(2), context.ViewOf<T>(dx), size);
  }
};

template <class T>
class MaxPool3DGradGrad final : public VolumePool {
 public:
  explicit MaxPool3DGradGrad(const Node& node) : VolumePool(node, true) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape());
    RequireShape(context.input(1), size.to.shape(), "orig_output");
    RequireShape(context.input(2), size.from.shape(), "grad");
    for (int i = 0; i < 3; ++i) Require(context.input(i).elements() > 0, "input ", i, " is empty");
    Tensor out = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(out.elements()), TakeAtMax<T>, context.In<T>(0), context.In<T>(1),
           context.In<T>(2), context.ViewOf<T>(out), size);
  }
};

template <class T>
class AvgPool3D final : public VolumePool {
 public:
  explicit AvgPool3D(const Node& node) : VolumePool(node, false) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape());
    Tensor y = context.AllocateOutput(0, size.to.shape());
    Launch(context.stream(), LoopOver(y.elements()), MeanOfWindows<T>, context.In<T>(0), context.ViewOf<T>(y), size);
  }
};

template <class T>
class AvgPool3DGrad final : public VolumePool {
 public:
  explicit AvgPool3DGrad(const Node& node) : VolumePool(node, true) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.OutputShape(0));
    RequireShape(context.input(1), size.to.shape(), "grad");
    Tensor dx = context.AllocateOutput(0, size.from.shape());
    Launch(context.stream(), LoopOver(dx.elements()), CollectParts<T>, context.In<T>(1), context.ViewOf<T>(dx), size);
  }
};

using PooledTypes = TypeList<float>;

constexpr GpuKernelRow kRows[] = {
    {"MaxPool3D", MakeForType<MaxPool3D, PooledTypes>},
    {"MaxPool3DGrad", MakeForType<MaxPool3DGrad, PooledTypes>},
    {"MaxPool3DGradGrad", MakeForType<MaxPool3DGradGrad, PooledTypes>},
    {"AvgPool3D", MakeForType<AvgPool3D, PooledTypes>},
    {"AvgPool3DGrad", Make<AvgPool3DGrad<float>>},
};

}  // namespace

std::span<const GpuKernelRow> ConvolutionPool3d() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
