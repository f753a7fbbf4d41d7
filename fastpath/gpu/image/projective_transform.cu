// Images seen through projections.
#include <cmath>
#include <type_traits>

#include "fastpath/formulas/image/projection_rule.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/image/projection-inl.h"
#undef PLUMB_INLINE

template <class T>
PLUMB_GPU_INLINE T AsPixel(float mean) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(WholePixel(mean));
  } else {
    return Computed<T>::Store(mean);
  }
}

// [batch, height, width, channels] of the source, and what is made of it: `out_height` rows of `out_width`.
struct Sizes {
  int64_t height = 0, width = 0, channels = 0, out_height = 0, out_width = 0;
  int64_t step = 0;  // from the numbers of one image to those of the next
  Fill fill = Fill::kConstant;
  bool is_linear = false;
};

// value: of pixels outside; empty: zero.
template <class T>
PLUMB_GPU_KERNEL TransformLoop(Global<const T> images, Global<const float> transforms, Global<const float> value,
                               Global<T> out, Sizes sizes) {
  const T outside = AsPixel<T>(value.size > 0 ? value[0] : 0.0F);
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t channel = i % sizes.channels, pixel = i / sizes.channels, row = pixel / sizes.out_width;
    const int64_t image = row / sizes.out_height;
    const auto t = transforms.From(image * sizes.step, 8);
    const Place place =
        PlaceOf(t, row % sizes.out_height, pixel % sizes.out_width, sizes.height, sizes.width, sizes.fill);
    const auto at = [&](int64_t y, int64_t x) -> T {
      if (y < 0 || y >= sizes.height || x < 0 || x >= sizes.width) return outside;
      return images[((image * sizes.height + y) * sizes.width + x) * sizes.channels + channel];
    };
    if (!place.is_finite) {
      out[i] = outside;
    } else if (sizes.is_linear) {
      const auto number = [&](int64_t y, int64_t x) { return static_cast<float>(Computed<T>::Load(at(y, x))); };
      out[i] = AsPixel<T>(Interpolated(number, place));
    } else {
      out[i] = at(Whole(std::round(place.y)), Whole(std::round(place.x)));
    }
  }
}

template <class T>
class Transform final : public GpuKernel {
 public:
  explicit Transform(const Node& node) : fill_(FillOf(node)), is_linear_(IsLinear(node)) {}
  void Run(GpuContext& context) override {
    const Shape &images = context.input(0).shape(), &transforms = context.input(1).shape();
    const bool has_value = context.num_inputs() > 3;
    const Shape shape =
        ProjectedShape(images, transforms, context.input(2), has_value ? &context.input(3).shape() : nullptr);
    Tensor output = context.AllocateOutput(0, shape);
    const Sizes sizes{images[1], images[2], images[3], shape[1], shape[2], transforms[0] == 1 ? 0 : 8,
                      fill_,     is_linear_};
    Launch(context.stream(), LoopOver(shape.elements()), TransformLoop<T>, context.In<T>(0), context.In<float>(1),
           has_value ? context.In<float>(3) : Global<const float>(), context.ViewOf<T>(output), sizes);
  }

 private:
  const Fill fill_;
  const bool is_linear_;
};

using TransformTypes = TypeList<uint8_t, int32_t, int64_t, Half, float, double>;

constexpr GpuKernelRow kRows[] = {
    {"ImageProjectiveTransformV2", MakeForType<Transform, TransformTypes>},
    {"ImageProjectiveTransformV3", MakeForType<Transform, TransformTypes>},
};

}  // namespace

std::span<const GpuKernelRow> ImageProjectiveTransform() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
