// ResizeNearestNeighbor and its gradient.
#include "fastpath/gpu/image/resizing.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL ResizeLoop(Global<const T> x, Resizing r, Global<T> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const int64_t channel = i % r.channels, pixel = i / r.channels, line = pixel / r.width.target;
    const int64_t row = r.height.NearestOf(line % r.height.target), column = r.width.NearestOf(pixel % r.width.target);
    y[i] = x[r.Source(line / r.height.target, row, column) + channel];
  }
}

class ResizeNearest final : public GpuKernel {
 public:
  explicit ResizeNearest(const Node& node) : rule_(node) {}
  void Run(GpuContext& context) override {
    const ResizeSizes sizes = rule_.Forward(context.input(0).shape(), context.input(1));
    Tensor output = context.AllocateOutput(0, sizes.target_shape());
    ForSizeOf(context.node(), output.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(output.elements()), ResizeLoop<T>, context.In<T>(0), Resizing(sizes, rule_),
             context.ViewOf<T>(output));
    });
  }

 private:
  const ResizeRule rule_;
};

// Each element of the source collects from the pixels of the target that are copies of it.
template <class T>
PLUMB_GPU_KERNEL CollectLoop(Global<const T> dy, Resizing r, Global<T> dx) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const int64_t channel = i % r.channels, pixel = i / r.channels, line = pixel / r.width.source;
    const int64_t image = line / r.height.source, row = line % r.height.source, column = pixel % r.width.source;
    const PixelRange rows = r.height.MadeOf(row), columns = r.width.MadeOf(column);
    V sum = 0;
    for (int64_t y = rows.begin; y < rows.end; ++y) {
      if (r.height.NearestOf(y) != row) continue;
      for (int64_t x = columns.begin; x < columns.end; ++x) {
        if (r.width.NearestOf(x) == column) sum += Computed<T>::Load(dy[r.Target(image, y, x) + channel]);
      }
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

template <class T>
class ResizeNearestGrad final : public GpuKernel {
 public:
  explicit ResizeNearestGrad(const Node& node) : rule_(node) {}
  void Run(GpuContext& context) override {
    const ResizeSizes sizes = rule_.BackwardToSize(context.input(0).shape(), context.input(1));
    Tensor output = context.AllocateOutput(0, sizes.source_shape());
    Launch(context.stream(), LoopOver(output.elements()), CollectLoop<T>, context.In<T>(0), Resizing(sizes, rule_),
           context.ViewOf<T>(output));
  }

 private:
  const ResizeRule rule_;
};

constexpr GpuKernelRow kRows[] = {
    {"ResizeNearestNeighbor", Make<ResizeNearest>},
    {"ResizeNearestNeighborGrad", MakeForType<ResizeNearestGrad, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ImageResizeNearest() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
