// Images seen through projections.
#include <algorithm>
#include <cmath>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

enum class Fill { kConstant, kNearest, kReflect, kWrap };

Fill FillOf(const Node& node) {
  const auto mode = GetAttrOr<std::string>(node.attrs, "fill_mode", "CONSTANT");
  if (mode == "CONSTANT") return Fill::kConstant;
  if (mode == "NEAREST") return Fill::kNearest;
  if (mode == "REFLECT") return Fill::kReflect;
  Require(mode == "WRAP", "fill_mode must be CONSTANT, NEAREST, REFLECT or WRAP, not '", mode, "'");
  return Fill::kWrap;
}
bool IsLinear(const Node& node) {
  const auto& name = GetAttr<std::string>(node.attrs, "interpolation");
  Require(name == "NEAREST" || name == "BILINEAR", "interpolation must be NEAREST or BILINEAR, not '", name, "'");
  return name == "BILINEAR";
}

float Periods(float distance, float period) { return std::trunc(std::min(distance / period, 0x1p40f)); }

float Reflected(float at, float length) {
  const float period = 2 * length;
  if (at < 0) {
    at = period * Periods(-at, period) + at;
    return at < -length ? at + period : -at - 1;
  }
  at -= period * Periods(at, period);
  return at >= length ? period - at - 1 : at;
}
float Wrapped(float at, float length) {
  const float last = length - 1;
  return at < 0 ? at + length * (Periods(-at, last) + 1) : at - length * Periods(at, last);
}

// A coordinate in a dimension of `size` pixels, by what stands for those outside, step by step in float32.
float Mapped(float at, int64_t size, Fill fill) {
  const auto length = static_cast<float>(size), last = static_cast<float>(size - 1);
  if (fill == Fill::kConstant) return at;
  if ((at < 0 || at > last) && fill != Fill::kNearest) {
    if (size <= 1) return 0;
    at = fill == Fill::kReflect ? Reflected(at, length) : Wrapped(at, length);
  }
  return std::isnan(at) ? at : std::clamp(at, 0.0f, last);
}

// A place as a whole number; far outside where it is none.
int64_t Whole(float place) {
  return std::isnan(place) ? -1 : static_cast<int64_t>(std::clamp(place, -0x1p40f, 0x1p40f));
}

template <class T>
T AsPixel(float mean) {
  if constexpr (std::is_integral_v<T>) {
    if (std::isnan(mean)) return 0;
    return static_cast<T>(static_cast<int64_t>(std::clamp(mean, -0x1p62f, 0x1p62f)));
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
    const Tensor& size = context.input(2);
    Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
    Require(transforms.rank() == 2 && transforms[1] == 8 && (transforms[0] == 1 || transforms[0] == images[0]),
            "transforms must be rows of eight, one for all images or one for each, not of shape ",
            transforms.ToString());
    Require(size.rank() == 1 && size.elements() == 2, "output_shape must be a vector of two, not of shape ",
            size.shape().ToString());
    const int64_t height = IntAt(size, 0), width = IntAt(size, 1);
    Require(height > 0 && width > 0, "images cannot be transformed to ", height, " x ", width);
    const T outside = OutsideOf(context);
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, Shape({images[0], height, width, images[3]}));
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

  static T OutsideOf(const KernelContext& context) {
    if (context.num_inputs() <= 3) return T(0);
    const Tensor& value = context.input(3);
    Require(value.rank() == 0, "fill_value must be a scalar, not of shape ", value.shape().ToString());
    return AsPixel<T>(value.data<float>()[0]);
  }

  static float Plane(float of_x, float of_y, float constant, float x, float y) {
    const float in_x = of_x * x, in_y = of_y * y;
    return in_x + in_y + constant;
  }

  void WriteRow(const Image& image, const float* t, int64_t row, int64_t width, T* to) const {
    const auto y = static_cast<float>(row);
    for (int64_t column = 0; column < width; ++column, to += image.channels) {
      const auto x = static_cast<float>(column);
      const float depth = Plane(t[6], t[7], 1, x, y);
      if (depth == 0) {
        std::fill_n(to, image.channels, image.outside);
        continue;
      }
      const float in_x = Mapped(Plane(t[0], t[1], t[2], x, y) / depth, image.width, fill_);
      const float in_y = Mapped(Plane(t[3], t[4], t[5], x, y) / depth, image.height, fill_);
      for (int64_t c = 0; c < image.channels; ++c) {
        to[c] = is_linear_ ? Interpolated(image, in_y, in_x, c)
                           : image.At(Whole(std::round(in_y)), Whole(std::round(in_x)), c);
      }
    }
  }

  static T Interpolated(const Image& image, float row, float column, int64_t channel) {
    const float top = std::floor(row), left = std::floor(column), low = top + 1, right = left + 1;
    const auto mean = [](float from, float to, float a, float b, float at) {
      const float from_a = (to - at) * a, from_b = (at - from) * b;
      return from_a + from_b;
    };
    const auto along = [&](float y) {
      const auto pixel = [&](float x) { return static_cast<float>(image.At(Whole(y), Whole(x), channel)); };
      return mean(left, right, pixel(left), pixel(right), column);
    };
    return AsPixel<T>(mean(top, low, along(top), along(low), row));
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
