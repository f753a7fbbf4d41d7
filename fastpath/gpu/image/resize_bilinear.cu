// ResizeBilinear and its gradient.
#include "fastpath/gpu/image/resizing.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

PLUMB_GPU_INLINE float Mixed(float low, float high, float fraction) { return low + (high - low) * fraction; }

template <class T>
PLUMB_GPU_KERNEL ResizeLoop(Global<const T> x, Resizing r, Global<float> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const int64_t channel = i % r.channels, pixel = i / r.channels, line = pixel / r.width.target;
    const int64_t image = line / r.height.target;
    const Between row = r.height.NeighboursOf(line % r.height.target);
    const Between column = r.width.NeighboursOf(pixel % r.width.target);
    const auto at = [&](int64_t from_row, int64_t from_column) {
      return static_cast<float>(Computed<T>::Load(x[r.Source(image, from_row, from_column) + channel]));
    };
    const float above = Mixed(at(row.lower, column.lower), at(row.lower, column.upper), column.fraction);
    const float below = Mixed(at(row.upper, column.lower), at(row.upper, column.upper), column.fraction);
    y[i] = Mixed(above, below, row.fraction);
  }
}

// Of images that keep their size, infinities stay what they are.
template <class T>
PLUMB_GPU_KERNEL WidenLoop(Global<const T> x, Global<float> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) y[i] = static_cast<float>(Computed<T>::Load(x[i]));
}

template <class T>
class ResizeBilinear final : public GpuKernel {
 public:
  explicit ResizeBilinear(const Node& node) : rule_(node) {}
  void Run(GpuContext& context) override {
    const ResizeSizes sizes = rule_.Forward(context.input(0).shape(), context.input(1));
    Tensor output = context.AllocateOutput(0, sizes.target_shape());
    const auto x = context.In<T>(0);
    const auto y = context.ViewOf<float>(output);
    if (sizes.source_shape() == sizes.target_shape()) {
      return Launch(context.stream(), LoopOver(y.size), WidenLoop<T>, x, y);
    }
    Launch(context.stream(), LoopOver(y.size), ResizeLoop<T>, x, Resizing(sizes, rule_), y);
  }

 private:
  const ResizeRule rule_;
};

// How much of a pixel of the target pixel `at` of the source is, by its lower and by its upper neighbour.
struct Weights {
  float lower, upper;
};
PLUMB_GPU_INLINE Weights WeightsAt(const Between& between, int64_t at) {
  return {between.lower == at ? 1.0F - between.fraction : 0.0F, between.upper == at ? between.fraction : 0.0F};
}

// Each element of the source collects what the pixels of the target were made of it.
template <class T>
PLUMB_GPU_KERNEL CollectLoop(Global<const float> dy, Resizing r, Global<T> dx) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const int64_t channel = i % r.channels, pixel = i / r.channels, line = pixel / r.width.source;
    const int64_t image = line / r.height.source, row = line % r.height.source, column = pixel % r.width.source;
    const PixelRange rows = r.height.MadeOf(row), columns = r.width.MadeOf(column);
    V sum = 0;
    for (int64_t y = rows.begin; y < rows.end; ++y) {
      const Between across = r.height.NeighboursOf(y);
      if (across.lower != row && across.upper != row) continue;
      const Weights down = WeightsAt(across, row);
      for (int64_t x = columns.begin; x < columns.end; ++x) {
        const Between along = r.width.NeighboursOf(x);
        if (along.lower != column && along.upper != column) continue;
        const Weights right = WeightsAt(along, column);
        const V gradient = dy[r.Target(image, y, x) + channel];
        if (across.lower == row) {
          if (along.lower == column) sum += gradient * down.lower * right.lower;
          if (along.upper == column) sum += gradient * down.lower * right.upper;
        }
        if (across.upper == row) {
          if (along.lower == column) sum += gradient * down.upper * right.lower;
          if (along.upper == column) sum += gradient * down.upper * right.upper;
        }
      }
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

template <class T>
class ResizeBilinearGrad final : public GpuKernel {
 public:
  explicit ResizeBilinearGrad(const Node& node) : rule_(node) {}
  void Run(GpuContext& context) override {
    const ResizeSizes sizes = rule_.BackwardToImages(context.input(0).shape(), context.input(1).shape());
    Tensor output = context.AllocateOutput(0, sizes.source_shape());
    Launch(context.stream(), LoopOver(output.elements()), CollectLoop<T>, context.In<float>(0), Resizing(sizes, rule_),
           context.ViewOf<T>(output));
  }

 private:
  const ResizeRule rule_;
};

std::unique_ptr<GpuKernel> MakeGrad(const Node& node) {
  return ForType(node, node.output_types[0], Floats(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<ResizeBilinearGrad<typename decltype(tag)::Type>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"ResizeBilinear", MakeForType<ResizeBilinear, Floats>},
    {"ResizeBilinearGrad", MakeGrad},
};

}  // namespace

std::span<const GpuKernelRow> ImageResizeBilinear() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
