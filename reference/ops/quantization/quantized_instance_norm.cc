// Images of codes, each channel of each image normalised with its own moments, in steps of float32.
#include <vector>

#include "reference/numbers/element.h"
#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

Real Divided(Real a, double by) { return Single(a / Real(by)); }

// What makes normalised numbers out of the codes of one channel of one image.
struct Moments {
  Real mean, inverse_deviation;
};

// Images [n, pixel, channel] of codes whose steps are `scale` wide.
struct Images {
  Reader<Integer> codes;
  int64_t images, pixels, channels;
  Real scale;

  Real Deviation(int64_t image, int64_t pixel, int64_t channel, Real mean) const {
    const Integer code = codes[(image * pixels + pixel) * channels + channel];
    return Single(scale * Single(Real(static_cast<double>(code.v)) - mean));
  }
  Moments MomentsOf(int64_t image, int64_t channel, Real epsilon) const {
    double sum = 0;
    for (int64_t i = 0; i < pixels; ++i) sum += static_cast<double>(codes[(image * pixels + i) * channels + channel].v);
    const auto count = static_cast<double>(pixels);
    const Real mean = Divided(Single(Rounded(sum, 0, 0, count)), count);
    Sum squares;
    for (int64_t i = 0; i < pixels; ++i) {
      const Real deviation = Deviation(image, i, channel, mean);
      squares.Add(Single(deviation * deviation));
    }
    const Real variance = Divided(Single(squares.Result()), count);
    return {mean, Single(Real(1) / Single(Sqrt(Single(variance + epsilon))))};
  }
};

void QuantizedInstanceNorm(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() == 4, "the input must be images of four dimensions, not of shape ", shape.ToString());
  const Real low = ScalarFloat(c, 1), high = ScalarFloat(c, 2);
  Require(low.v < high.v, "x_min must be below x_max, but they are ", low.v, " and ", high.v);
  ComputeIn(DType::kFloat);
  const Images images{Reader<Integer>(c.input(0)), shape.dim(0), shape.dim(1) * shape.dim(2), shape.dim(3),
                      Divided(Single(high - low), 255)};
  std::vector<Real> normal(static_cast<size_t>(shape.elements()));
  Real min(INFINITY), max(-INFINITY);
  for (int64_t image = 0; image < images.images; ++image) {
    for (int64_t channel = 0; channel < images.channels; ++channel) {
      const Moments moments = images.MomentsOf(image, channel, Real(c.attr<float>("variance_epsilon")));
      for (int64_t pixel = 0; pixel < images.pixels; ++pixel) {
        const Real x = Single(images.Deviation(image, pixel, channel, moments.mean) * moments.inverse_deviation);
        normal[static_cast<size_t>((image * images.pixels + pixel) * images.channels + channel)] = x;
        if (x.v < min.v) min = x;
        if (x.v > max.v) max = x;
      }
    }
  }
  if (c.attr<bool>("output_range_given")) {
    min = Real(c.attr<float>("given_y_min"));
    max = Real(c.attr<float>("given_y_max"));
  }
  const float separation = c.attr<float>("min_separation");
  if (Single(max - min).v < separation) max = Single(min + Real(separation));
  const NearestCode nearest(CodesOf(DType::kQuint8), ValueOf(min), ValueOf(max));
  Writer<Integer> codes(DType::kQuint8, shape);
  for (int64_t i = 0; i < codes.size(); ++i) codes.Set(i, nearest(ValueOf(normal[static_cast<size_t>(i)])));
  c.Output(0, codes.Take());
  OutputFloat(c, 1, min);
  OutputFloat(c, 2, max);
}

void CheckGivenRange(const Node& node) {
  const float min = GetAttr<float>(node.attrs, "given_y_min"), max = GetAttr<float>(node.attrs, "given_y_max");
  Require(!GetAttr<bool>(node.attrs, "output_range_given") || min < max, "node '", node.name,
          "': given_y_min must be below given_y_max, but they are ", min, " and ", max);
}

constexpr KernelRow kRows[] = {
    {"QuantizedInstanceNorm", QuantizedInstanceNorm, CheckGivenRange},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedInstanceNorm() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
