// Images seen through projections.
#include <algorithm>
#include <cmath>

#include "reference/numbers/index.h"
#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

enum class Fill { kConstant, kNearest, kReflect, kWrap };

Fill FillOf(const Node& node) {
  const auto& mode = GetAttr<std::string>(node.attrs, "fill_mode");
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
void CheckModes(const Node& node) {
  FillOf(node);
  IsLinear(node);
}

// Whole multiples of a period that fit into a distance; no more than a coordinate may hold.
float Periods(float distance, float period) { return std::trunc(std::min(distance / period, 0x1p40f)); }

// A coordinate in a dimension of `size` pixels, by what stands for those outside. In float32, step by step, for the
// roundings decide between neighbours.
float Mapped(float at, int64_t size, Fill fill) {
  const auto length = static_cast<float>(size), last = static_cast<float>(size - 1);
  if (fill == Fill::kConstant) return at;
  if (fill == Fill::kReflect && at < 0) {
    if (size <= 1) return 0;
    const float period = 2 * length;
    at = period * Periods(-at, period) + at;
    at = at < -length ? at + period : -at - 1;
  } else if (fill == Fill::kReflect && at > last) {
    if (size <= 1) return 0;
    const float period = 2 * length;
    at -= period * Periods(at, period);
    if (at >= length) at = period - at - 1;
  } else if (fill == Fill::kWrap && at < 0) {
    if (size <= 1) return 0;
    at += length * (Periods(-at, last) + 1);
  } else if (fill == Fill::kWrap && at > last) {
    if (size <= 1) return 0;
    at -= length * Periods(at, last);
  }
  return std::isnan(at) ? at : std::clamp(at, 0.0f, last);
}

// Where a pixel comes from, row and column; nothing where the projection has no such place.
struct Source {
  bool exists = false;
  float row = 0, column = 0;
};

Source SourceOf(const float* t, int64_t row, int64_t column) {
  const auto y = static_cast<float>(row), x = static_cast<float>(column);
  const auto plane = [&](float of_x, float of_y, float constant) {
    const float in_x = of_x * x, in_y = of_y * y;
    return in_x + in_y + constant;
  };
  const float depth = plane(t[6], t[7], 1);
  if (depth == 0) return {};
  return {true, plane(t[3], t[4], t[5]) / depth, plane(t[0], t[1], t[2]) / depth};
}

// A place as a whole number; far outside where it is none.
int64_t Whole(float place) {
  return std::isnan(place) ? -1 : static_cast<int64_t>(std::clamp(place, -0x1p40f, 0x1p40f));
}

template <class N>
struct Images {
  Reader<N> pixels;
  int64_t height, width, channels;
  N outside;

  N At(int64_t image, int64_t row, int64_t column, int64_t channel) const {
    if (row < 0 || row >= height || column < 0 || column >= width) return outside;
    return pixels[((image * height + row) * width + column) * channels + channel];
  }
};

// The weighted mean of four pixels. Whole numbers are what is left of it in float32, step by step, cut towards zero.
float Mean(float low, float high, float low_value, float high_value, float at) {
  const float from_low = (high - at) * low_value, from_high = (at - low) * high_value;
  return from_low + from_high;
}
Real Mean(float low, float high, Real low_value, Real high_value, float at) {
  return Real(high - at) * low_value + Real(at - low) * high_value;
}
float InSteps(Integer x) { return static_cast<float>(static_cast<int64_t>(x.v)); }
Real InSteps(Real x) { return AsFloat(x); }
Real AsPixel(Real mean) { return mean; }
Integer AsPixel(float mean) {
  if (std::isnan(mean)) return Integer(0);
  return Integer(static_cast<int64_t>(std::clamp(mean, -0x1p62f, 0x1p62f)));
}

template <class N>
N Interpolated(const Images<N>& images, int64_t image, float row, float column, int64_t channel) {
  const float top = std::floor(row), left = std::floor(column), low = top + 1, right = left + 1;
  const auto at = [&](float y, float x) { return InSteps(images.At(image, Whole(y), Whole(x), channel)); };
  const auto along = [&](float y) { return Mean(left, right, at(y, left), at(y, right), column); };
  return AsPixel(Mean(top, low, along(top), along(low), row));
}

template <class N>
N OutsideOf(const OpContext& c) {
  if (c.num_inputs() <= 3) return N(0);
  Require(c.tensor(3).rank() == 0, "fill_value must be a scalar, not of shape ", c.tensor(3).shape().ToString());
  const Real value = Reader<Real>(c.input(3))[0];
  if constexpr (std::is_same_v<N, Integer>) {
    return AsPixel(static_cast<float>(value.v));
  } else {
    return N(RoundTo(c.tensor(0).dtype(), value.v));
  }
}

void Transform(OpContext& context) {
  const Shape &images = context.tensor(0).shape(), &transforms = context.tensor(1).shape();
  const Tensor& size = context.tensor(2);
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
  Require(transforms.rank() == 2 && transforms.dim(1) == 8 &&
              (transforms.dim(0) == 1 || transforms.dim(0) == images.dim(0)),
          "transforms must be rows of eight, one for all images or one for each, not of shape ", transforms.ToString());
  Require(size.rank() == 1 && size.elements() == 2, "output_shape must be a vector of two, not of shape ",
          size.shape().ToString());
  const std::vector<int64_t> target = ToInt64s(size);
  Require(target[0] > 0 && target[1] > 0, "images cannot be transformed to ", target[0], " x ", target[1]);
  const Fill fill = FillOf(context.node);
  const bool is_linear = IsLinear(context.node), certain = IsExact(context.input(1));
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Images<N> from{Reader<N>(context.input(0)), images.dim(1), images.dim(2), images.dim(3),
                         OutsideOf<N>(context)};
    if (is_linear) ComputeIn(DType::kFloat);
    Writer<N> to(dtype, {images.dim(0), target[0], target[1], images.dim(3)});
    for (int64_t i = 0; i < to.size(); ++i) {
      const int64_t channel = i % from.channels, pixel = i / from.channels;
      const int64_t x = pixel % target[1], y = pixel / target[1] % target[0], image = pixel / target[1] / target[0];
      const float* row = context.tensor(1).data<float>().data() + (transforms.dim(0) == 1 ? 0 : 8 * image);
      const Source source = SourceOf(row, y, x);
      if (!source.exists) {
        to.Set(i, If(certain, from.outside));
        continue;
      }
      const float in_y = Mapped(source.row, from.height, fill), in_x = Mapped(source.column, from.width, fill);
      to.Set(i, If(certain, is_linear ? Interpolated(from, image, in_y, in_x, channel)
                                      : from.At(image, Whole(std::round(in_y)), Whole(std::round(in_x)), channel)));
    }
    context.Output(0, to.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"ImageProjectiveTransformV2", Transform, CheckModes},
    {"ImageProjectiveTransformV3", Transform, CheckModes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageProjectiveTransform() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
