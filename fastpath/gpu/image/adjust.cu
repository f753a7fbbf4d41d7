// Contrast, hue and saturation changed.
#include "fastpath/gpu/image/colors.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

void CheckImages(const GpuContext& context, std::string_view what) {
  const Shape& images = context.input(0).shape();
  Require(images.rank() >= 3, "images must have three dimensions at least, not the shape ", images.ToString());
  Require(context.input(1).rank() == 0, what, " must be a scalar, not of shape ", context.input(1).shape().ToString());
}

// sums: of each channel of each image.
PLUMB_GPU_KERNEL ContrastLoop(Global<const float> x, Global<const float> sums, Global<const float> factor,
                              int64_t pixels, int64_t channels, Global<float> y) {
  const float by = factor[0];
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const float mean = sums[i / (pixels * channels) * channels + i % channels] / static_cast<float>(pixels);
    y[i] = (x[i] - mean) * by + mean;
  }
}

class AdjustContrast final : public GpuKernel {
 public:
  explicit AdjustContrast(const Node&) {}
  void Run(GpuContext& context) override {
    CheckImages(context, "contrast_factor");
    const Shape shape = context.input(0).shape();
    const int rank = shape.rank();
    const int64_t channels = shape[rank - 1], pixels = ElementsIn(shape, rank - 3, rank - 1);
    const Global<const float> x = context.In<float>(0), factor = context.In<float>(1);
    if (shape.elements() == 0) {
      context.AllocateOutput(0, shape);
      return;
    }
    const int64_t images = shape.elements() / (pixels * channels);
    Tensor sums = context.Scratch(DType::kFloat, Shape({images, channels}));
    const FoldPlan plan = PlanFold(Shape({images, pixels, channels}), {false, true, false});
    QueueFold(context, plan, x, context.ViewOf<float>(sums), SumFold<float>());
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(shape.elements()), ContrastLoop, x, context.ViewOf<float>(sums), factor, pixels,
           channels, context.ViewOf<float>(y));
  }
};

template <class T>
struct ImageSumFold {
  using In = T;
  using Value = float;
  using Out = float;
  PLUMB_GPU_INLINE float Identity() const { return 0; }
  PLUMB_GPU_INLINE float Load(T element, int64_t /*i*/) const { return static_cast<float>(element); }
  PLUMB_GPU_INLINE float Merge(float a, float b) const { return a + b; }
  PLUMB_GPU_INLINE float Store(float sum) const { return sum; }
};

// The first version takes the mean off, puts it back, and holds what comes of it between two numbers.
template <class T>
PLUMB_GPU_KERNEL HeldContrastLoop(Global<const T> x, Global<const float> sums, Global<const float> factor,
                                  Global<const float> least, Global<const float> most, int64_t pixels, int64_t channels,
                                  Global<float> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const float mean = sums[i / (pixels * channels) * channels + i % channels] / static_cast<float>(pixels);
    const float adjusted = (static_cast<float>(x[i]) - mean) * factor[0] + mean;
    const float below = most[0] < adjusted ? most[0] : adjusted;
    y[i] = below < least[0] ? least[0] : below;
  }
}

template <class T>
class AdjustContrastV1 final : public GpuKernel {
 public:
  explicit AdjustContrastV1(const Node&) {}
  void Run(GpuContext& context) override {
    CheckImages(context, "contrast_factor");
    const Shape shape = context.OutputShape(0);
    const int rank = shape.rank();
    const int64_t channels = shape[rank - 1], pixels = ElementsIn(shape, rank - 3, rank - 1);
    Tensor y = context.AllocateOutput(0, shape);
    if (shape.elements() == 0) return;
    const int64_t images = shape.elements() / (pixels * channels);
    const Global<const T> x = context.In<T>(0);
    Tensor sums = context.Scratch(DType::kFloat, Shape({images, channels}));
    const FoldPlan plan = PlanFold(Shape({images, pixels, channels}), {false, true, false});
    QueueFold(context, plan, x, context.ViewOf<float>(sums), ImageSumFold<T>());
    Launch(context.stream(), LoopOver(shape.elements()), HeldContrastLoop<T>, x, context.ViewOf<float>(sums),
           context.In<float>(1), context.In<float>(2), context.In<float>(3), pixels, channels,
           context.ViewOf<float>(y));
  }
};

// A thread for each pixel.
template <class Change>
PLUMB_GPU_KERNEL PixelLoop(Global<const float> x, Global<const float> amount, Global<float> y) {
  for (int64_t i = First(); 3 * i < y.size; i += Stride()) {
    const Rgb<float> pixel{x[3 * i], x[3 * i + 1], x[3 * i + 2]};
    const Rgb<float> changed = Change::Of(pixel, amount[0]);
    for (int c = 0; c < 3; ++c) y[3 * i + c] = changed[static_cast<size_t>(c)];
  }
}

template <class Change>
class AdjustPixels final : public GpuKernel {
 public:
  explicit AdjustPixels(const Node&) {}
  void Run(GpuContext& context) override {
    CheckImages(context, Change::kAmount);
    const Shape shape = context.input(0).shape();
    Require(shape[shape.rank() - 1] == 3, "pixels have three channels, which images of shape ", shape.ToString(),
            " lack");
    const Global<const float> x = context.In<float>(0), amount = context.In<float>(1);
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(shape.elements() / 3), PixelLoop<Change>, x, amount, context.ViewOf<float>(y));
  }
};

using ImageTypes = TypeList<uint8_t, int8_t, int16_t, int32_t, float, double>;

constexpr GpuKernelRow kRows[] = {
    {"AdjustContrast", MakeForType<AdjustContrastV1, ImageTypes>},
    {"AdjustContrastv2", Make<AdjustContrast>},
    {"AdjustHue", Make<AdjustPixels<MoveHue>>},
    {"AdjustSaturation", Make<AdjustPixels<ScaleSaturation>>},
};

}  // namespace

std::span<const GpuKernelRow> ImageAdjust() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
