// Colours as red, green and blue, and as hue, saturation and value.
#include "fastpath/gpu/image/colors.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// A thread for each pixel.
template <class Conversion, class T>
PLUMB_GPU_KERNEL ConvertLoop(Global<const T> x, Global<T> y) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); 3 * i < y.size; i += Stride()) {
    const Rgb<V> pixel{Computed<T>::Load(x[3 * i]), Computed<T>::Load(x[3 * i + 1]), Computed<T>::Load(x[3 * i + 2])};
    const Rgb<V> converted = Conversion::Of(pixel);
    for (int c = 0; c < 3; ++c) y[3 * i + c] = Computed<T>::Store(converted[static_cast<size_t>(c)]);
  }
}

template <class Conversion, class T>
class Convert final : public GpuKernel {
 public:
  explicit Convert(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    Require(shape.rank() >= 1, "images must have channels, which a scalar has not");
    if (shape[shape.rank() - 1] != 3) {
      throw FailedPrecondition("pixels have three channels in the last dimension, which images of shape ",
                               shape.ToString(), " lack");
    }
    const Global<const T> x = context.In<T>(0);
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(shape.elements() / 3), ConvertLoop<Conversion, T>, x, context.ViewOf<T>(y));
  }
};

template <class T>
using RgbToHsv = Convert<ToHsv, T>;
template <class T>
using HsvToRgb = Convert<ToRgb, T>;

constexpr GpuKernelRow kRows[] = {
    {"RGBToHSV", MakeForType<RgbToHsv, Floats>},
    {"HSVToRGB", MakeForType<HsvToRgb, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ImageColor() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
