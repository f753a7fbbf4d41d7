// Contrast, hue and saturation changed.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/image/colors.h"

namespace plumb::reference {
namespace {

void CheckImages(const OpContext& c, std::string_view what) {
  const Shape& images = c.tensor(0).shape();
  Require(images.rank() >= 3, "images must have three dimensions at least, not the shape ", images.ToString());
  Require(c.tensor(1).rank() == 0, what, " must be a scalar, not of shape ", c.tensor(1).shape().ToString());
}

void AdjustContrast(OpContext& context) {
  CheckImages(context, "contrast_factor");
  const Shape& shape = context.tensor(0).shape();
  const int rank = shape.rank();
  const int64_t channels = shape.dim(rank - 1);
  ForKind<Real>(context.tensor(0).dtype(), [&](auto) {
    const Reader<Real> from(context.input(0));
    const Real factor = LoadScalar<Real>(context.input(1));
    Writer<Real> to(DType::kFloat, shape);
    if (to.size() == 0) return context.Output(0, to.Take());
    const int64_t pixels = shape.dim(rank - 3) * shape.dim(rank - 2);
    for (int64_t start = 0; start < to.size(); start += pixels * channels) {
      for (int64_t c = 0; c < channels; ++c) {
        Sum sum;
        for (int64_t i = 0; i < pixels; ++i) sum.Add(from[start + i * channels + c]);
        const Real mean = sum.Result() / Real(static_cast<double>(pixels));
        for (int64_t i = start + c; i < start + pixels * channels; i += channels) {
          to.Set(i, (from[i] - mean) * factor + mean);
        }
      }
    }
    context.Output(0, to.Take());
  });
}

// As float32, to the nearest.
Value AsFloats(const Value& images) {
  Writer<Real> floats(DType::kFloat, images.tensor.shape());
  ForKind<Real, Integer>(images.tensor.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    ComputeIn(DType::kFloat);
    const Reader<N> from(images);
    for (int64_t i = 0; i < from.size(); ++i) {
      if constexpr (std::is_same_v<N, Real>) {
        floats.Set(i, from[i]);
      } else {
        floats.Set(i, Real(static_cast<double>(from[i])));
      }
    }
  });
  return floats.Take();
}

// What is no number holds nothing.
Real Held(Real x, Real least, Real most) {
  const Real below = std::isnan(most.v) ? x : Min(x, most);
  return std::isnan(least.v) ? below : Max(below, least);
}

// The first version holds what comes of it between two numbers.
void AdjustContrastV1(OpContext& context) {
  CheckImages(context, "contrast_factor");
  for (const int i : {2, 3}) {
    Require(context.tensor(i).rank() == 0, "input ", i, " must be a scalar, not of shape ",
            context.tensor(i).shape().ToString());
  }
  const Value images = AsFloats(context.input(0));
  const Reader<Real> from(images);
  const Real factor = LoadScalar<Real>(context.input(1)), least = LoadScalar<Real>(context.input(2)),
             most = LoadScalar<Real>(context.input(3));
  const Shape& shape = images.tensor.shape();
  const int rank = shape.rank();
  const int64_t channels = shape.dim(rank - 1), pixels = shape.dim(rank - 3) * shape.dim(rank - 2);
  Writer<Real> to(DType::kFloat, shape);
  for (int64_t start = 0; start < to.size(); start += pixels * channels) {
    for (int64_t c = start; c < start + channels; ++c) {
      Sum sum;
      for (int64_t i = 0; i < pixels; ++i) sum.Add(from[c + i * channels]);
      const Real mean = sum.Result() / Real(static_cast<double>(pixels));
      for (int64_t i = c; i < start + pixels * channels; i += channels) {
        to.Set(i, Held((from[i] - mean) * factor + mean, least, most));
      }
    }
  }
  context.Output(0, to.Take());
}

// Which channels are the largest, the middle one and the smallest in a part of the colour circle, from 0 to 5.
std::array<size_t, 3> ChannelsIn(int part) {
  constexpr std::array<std::array<size_t, 3>, 6> kChannels = {
      {{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {2, 1, 0}, {2, 0, 1}, {0, 2, 1}}};
  return kChannels[static_cast<size_t>(part)];
}

// The part in which a pixel's hue lies, where what is no number is neither less nor greater.
int PartOf(const Pixel& p) {
  const double red = p[0].v, green = p[1].v, blue = p[2].v;
  if (red < green) return blue < red ? 1 : blue > green ? 3 : 2;
  return blue < green ? 0 : blue > red ? 4 : 5;
}

// The same where a channel, or the amount, is infinite or no number: the largest and the smallest channel change places
// as they are, and the last part takes a hue that is no number.
Pixel WithHueMovedBeyond(const Pixel& p, Real sixths) {
  const int part = PartOf(p);
  const auto from = ChannelsIn(part);
  const Real largest = p[from[0]], smallest = p[from[2]], range = largest - smallest;
  Real place(0);
  if (!(largest.v == smallest.v)) {
    const Real share = (p[from[1]] - smallest) / range;
    place = Real(part) + (part % 2 == 0 ? share : Real(1) - share);
  }
  place = place + sixths;
  place.v -= 6 * std::floor(place.v / 6);
  const int new_part = place.v >= 0 && place.v < 6 ? static_cast<int>(place.v) : 5;
  const Real along = place - Real(new_part), share = new_part % 2 == 0 ? along : Real(1) - along;
  const auto to = ChannelsIn(new_part);
  Pixel moved;
  moved[to[0]] = largest;
  moved[to[1]] = smallest + share * range;
  moved[to[2]] = smallest;
  return moved;
}

// The pixel with its hue moved: a number of sixths of the circle.
Pixel WithHueMoved(const Pixel& p, Real sixths) {
  const bool finite = std::all_of(p.begin(), p.end(), [](const Real& channel) { return std::isfinite(channel.v); });
  if (!finite || !std::isfinite(sixths.v)) return WithHueMovedBeyond(p, sixths);
  const Real largest = Largest(p), smallest = Smallest(p), range = Difference(largest, smallest);
  Real place = CirclePlace(p, largest, range) + sixths;
  // Whole turns are taken off, or one added, in as many roundings; a place beyond the largest number is none.
  place.e += 4 * arithmetic.unit * (std::fabs(place.v) + 6);
  if (std::isfinite(place.v) && std::fabs(place.v) > arithmetic.largest) place.e = INFINITY;
  place.v -= 6 * std::floor(place.v / 6);
  Pixel moved = SharesAt(place);
  for (Real& channel : moved) channel = smallest + channel * range;
  return moved;
}

// The pixel with its saturation multiplied and held between 0 and 1. Without a positive channel it has none, nor where
// it is no number.
Pixel WithSaturationScaled(const Pixel& p, Real scale) {
  const Real value = Largest(p), range = Difference(value, Smallest(p));
  Real saturation = value.v > 0 ? range / value : Real(0);
  if (value.e > 0 && std::fabs(value.v) <= value.e) saturation.e = INFINITY;
  saturation = saturation * scale;
  if (std::isnan(saturation.v)) saturation = Real(0);
  saturation = Min(Max(saturation, Real(0)), Real(1));
  if (std::isfinite(saturation.e)) saturation.e = std::min(saturation.e, 1.0);
  Real place = CirclePlace(p, value, range);
  if (place.v < 0) place = place + Real(6);
  place = ByInverseOfRange(place, range);
  const Real chroma = saturation * value;
  Pixel scaled = SharesAt(place);
  for (Real& channel : scaled) channel = (value - chroma) + chroma * channel;
  return scaled;
}

template <class F>
void ForEachPixel(OpContext& context, F f) {
  const Shape& shape = context.tensor(0).shape();
  Require(shape.dim(shape.rank() - 1) == 3, "pixels have three channels, which images of shape ", shape.ToString(),
          " lack");
  ForKind<Real>(context.tensor(0).dtype(), [&](auto) {
    const Reader<Real> from(context.input(0));
    const Real amount = LoadScalar<Real>(context.input(1));
    Writer<Real> to(DType::kFloat, shape);
    for (int64_t i = 0; i < to.size(); i += 3) {
      const Pixel pixel = f({from[i], from[i + 1], from[i + 2]}, amount);
      for (int c = 0; c < 3; ++c) to.Set(i + c, pixel[c]);
    }
    context.Output(0, to.Take());
  });
}

void AdjustHue(OpContext& context) {
  CheckImages(context, "delta");
  ForEachPixel(context, [](const Pixel& p, Real delta) { return WithHueMoved(p, delta * Real(6)); });
}

void AdjustSaturation(OpContext& context) {
  CheckImages(context, "scale");
  ForEachPixel(context, [](const Pixel& p, Real scale) { return WithSaturationScaled(p, scale); });
}

constexpr KernelRow kRows[] = {
    {"AdjustContrast", AdjustContrastV1},
    {"AdjustContrastv2", AdjustContrast},
    {"AdjustHue", AdjustHue},
    {"AdjustSaturation", AdjustSaturation},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageAdjust() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
