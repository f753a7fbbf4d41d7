// Images of codes of another height and width: each code between four of the
// image.
#include <vector>

#include "reference/numbers/index.h"
#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

// Where an output lies between two inputs along one axis.
struct Place {
  int64_t lower, upper;
  float share;  // of the upper one
};

std::vector<Place> PlacesOf(const OpContext &c, int64_t in, int64_t out) {
  const bool to_corners = c.attr<bool>("align_corners") && out > 1, centred = c.attr<bool>("half_pixel_centers");
  const float scale = to_corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                 : static_cast<float>(in) / static_cast<float>(out);
  std::vector<Place> places;
  for (int64_t i = 0; i < out; ++i) {
    const auto at = static_cast<float>(i);
    const float place = centred ? (at + 0.5F) * scale - 0.5F : at * scale, floor = std::floor(place);
    const int64_t upper = std::min(static_cast<int64_t>(std::ceil(place)), in - 1);
    places.push_back({std::min(std::max<int64_t>(static_cast<int64_t>(floor), 0), upper), upper, place - floor});
  }
  return places;
}

// The four neighbours of a place: above and below, left and right; and how far
// it is from the first ones.
template <class N>
struct Square {
  N above_left, above_right, below_left, below_right;
  float across, down;
};

// Codes are rounded to float32 on their way.
Integer Taken(Integer code) { return Integer(static_cast<int64_t>(static_cast<float>(code.v))); }
Real Taken(Real x) { return x; }

// In whole numbers with `bits` behind the point.
Integer Between(const Square<Integer> &square, int bits) {
  const Integer one(int64_t{1} << bits);
  const Integer across(static_cast<int64_t>(square.across * static_cast<float>(int64_t{1} << bits)));
  const Integer down(static_cast<int64_t>(square.down * static_cast<float>(int64_t{1} << bits)));
  const Integer above = square.above_left * one + (square.above_right - square.above_left) * across;
  const Integer below = square.below_left * one + (square.below_right - square.below_left) * across;
  return (above + (below - above) / one * down + one / Integer(2)) / one;
}
Real Between(const Square<Real> &square, int) {
  const Real across(square.across), down(square.down);
  const auto part = [](Real a, Real b, Real share) { return Single(a + Single(Single(b - a) * share)); };
  return part(part(square.above_left, square.above_right, across), part(square.below_left, square.below_right, across),
              down);
}

template <class N>
void Resize(OpContext &c, const Shape &shape, int bits) {
  const Shape &images = c.tensor(0).shape();
  const int64_t rows = images.dim(1), columns = images.dim(2), channels = images.dim(3);
  const auto down = PlacesOf(c, rows, shape.dim(1)), across = PlacesOf(c, columns, shape.dim(2));
  const Reader<N> from(c.input(0));
  Writer<N> to(c.output_type(0), shape);
  for (int64_t i = 0; i < to.size(); ++i) {
    const int64_t channel = i % channels, image = i / channels / shape.dim(2) / shape.dim(1);
    const Place &x = across[i / channels % shape.dim(2)];
    const Place &y = down[i / channels / shape.dim(2) % shape.dim(1)];
    const auto at = [&](int64_t row, int64_t column) {
      return Taken(from[((image * rows + row) * columns + column) * channels + channel]);
    };
    to.Set(i, Between(Square<N>{at(y.lower, x.lower), at(y.lower, x.upper), at(y.upper, x.lower), at(y.upper, x.upper),
                                x.share, y.share},
                      bits));
  }
  c.Output(0, to.Take());
}

void QuantizedResizeBilinear(OpContext &c) {
  const Real min = ScalarFloat(c, 2), max = ScalarFloat(c, 3);
  const Shape &images = c.tensor(0).shape();
  Require(images.rank() == 4, "the images must have four dimensions, not the shape ", images.ToString());
  Require(c.tensor(1).shape() == Shape({2}), "the size must be height and width, not of shape ",
          c.tensor(1).shape().ToString());
  const std::vector<int64_t> size = IntegersOf(c.tensor(1), "size");
  Require(size[0] > 0 && size[1] > 0, "height and width must be positive, not ", size[0], " and ", size[1]);
  Require(images.dim(1) > 0 && images.dim(2) > 0, "the images must not be empty: ", images.ToString());
  Require(images.dim(3) > 0, "the images must have channels: ", images.ToString());
  const Shape shape({images.dim(0), size[0], size[1], images.dim(3)});
  CheckResultSize(shape);
  if (shape.elements() == 0) throw Internal("TensorFlow gives no range for no images");
  const bool keeps_size = size[0] == images.dim(1) && size[1] == images.dim(2);
  ComputeIn(DType::kFloat);
  if (keeps_size) {
    c.Output(0, c.input(0));
  } else if (c.output_type(0) == DType::kFloat) {
    Resize<Real>(c, shape, 0);
  } else {
    Resize<Integer>(c, shape, c.output_type(0) == DType::kQuint8 ? 7 : 30);
  }
  OutputFloat(c, 1, min);
  OutputFloat(c, 2, max);
}

constexpr KernelRow kRows[] = {
    {"QuantizedResizeBilinear", QuantizedResizeBilinear},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedResizeBilinear() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
