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

constexpr GpuKernelRow kRows[] = {
    {"AdjustContrastv2", Make<AdjustContrast>},
    {"AdjustHue", Make<AdjustPixels<MoveHue>>},
    {"AdjustSaturation", Make<AdjustPixels<ScaleSaturation>>},
};

}  // namespace

std::span<const GpuKernelRow> ImageAdjust() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
