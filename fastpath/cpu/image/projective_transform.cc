// Images seen through projections.
#include <algorithm>
#include <cmath>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/formulas/image/projection_rule.h"

namespace plumb::fast::cpu {
namespace {

#define PLUMB_INLINE inline
#include "fastpath/formulas/image/projection-inl.h"
#undef PLUMB_INLINE

template <class T>
T AsPixel(float mean) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(WholePixel(mean));
  } else {
    return static_cast<T>(mean);
  }
}

template <class T>
class Transform final : public Kernel {
 public:
  explicit Transform(const Node& node) : fill_(FillOf(node)), is_linear_(IsLinear(node)) {}

  void Run(KernelContext& context) override {
    const Shape &images = context.input(0).shape(), &transforms = context.input(1).shape();
    const bool has_value = context.num_inputs() > 3;
    const Shape shape =
        ProjectedShape(images, transforms, context.input(2), has_value ? &context.input(3).shape() : nullptr);
    const int64_t height = shape[1], width = shape[2];
    const T outside = has_value ? AsPixel<T>(context.input(3).data<float>()[0]) : T(0);
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, shape);
    if (output.elements() == 0) return;
    const float* const rows = context.input(1).data<float>().data();
    const T* const from = context.input(0).data<T>().data();
    T* const to = output.mutable_data<T>().data();
    const int64_t pixels = images[1] * images[2] * images[3], step = transforms[0] == 1 ? 0 : 8;
    context.pool().ParallelFor(images[0] * height, GrainFor(16 * width * images[3]), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Image image{from + i / height * pixels, images[1], images[2], images[3], outside};
        WriteRow(image, rows + i / height * step, i % height, width, to + i * width * images[3]);
      }
    });
  }

 private:
  struct Image {
    const T* pixels;
    int64_t height, width, channels;
    T outside;

    T At(int64_t row, int64_t column, int64_t channel) const {
      if (row < 0 || row >= height || column < 0 || column >= width) return outside;
      return pixels[(row * width + column) * channels + channel];
    }
  };

  void WriteRow(const Image& image, const float* t, int64_t row, int64_t width, T* to) const {
    for (int64_t column = 0; column < width; ++column, to += image.channels) {
      const Place place = PlaceOf(t, row, column, image.height, image.width, fill_);
      if (!place.is_finite) {
        std::fill_n(to, image.channels, image.outside);
        continue;
      }
      for (int64_t c = 0; c < image.channels; ++c) {
        const auto pixel = [&](int64_t y, int64_t x) { return static_cast<float>(image.At(y, x, c)); };
        to[c] = is_linear_ ? AsPixel<T>(Interpolated(pixel, place))
                           : image.At(Whole(std::round(place.y)), Whole(std::round(place.x)), c);
      }
    }
  }

  const Fill fill_;
  const bool is_linear_;
};

using TransformTypes = Types<uint8_t, int32_t, int64_t, Half, float, double>;

constexpr KernelRow kRows[] = {
    {"ImageProjectiveTransformV2", MakeFor<Transform, TransformTypes>},
    {"ImageProjectiveTransformV3", MakeFor<Transform, TransformTypes>},
};

}  // namespace

std::span<const KernelRow> ImageProjectiveTransform() { return kRows; }

}  // namespace plumb::fast::cpu
