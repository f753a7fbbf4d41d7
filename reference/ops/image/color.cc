// Colours as red, green and blue, and as hue, saturation and value.
#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/image/colors.h"

namespace plumb::reference {
namespace {

// Whether two channels may change places within their bounds, so that the hue jumps.
bool MayChangePlaces(const Pixel& p) {
  for (int i = 0; i < 3; ++i) {
    const Real &a = p[i], &b = p[(i + 1) % 3];
    if (a.e + b.e > 0 && std::fabs(a.v - b.v) <= a.e + b.e) return true;
  }
  return false;
}

Pixel ToHsv(const Pixel& p) {
  const Real value = Largest(p), range = Difference(value, Smallest(p));
  Real saturation = value.v > 0 ? range / value : Real(0);
  if (value.e > 0 && std::fabs(value.v) <= value.e) saturation.e = INFINITY;
  Real hue = ByInverseOfRange(CirclePlace(p, value, range) * Real(1.0 / 6), range);
  // Just below zero it is just below one; a hue that vanishes is not below zero.
  const bool may_wrap = hue.v != 0 && std::fabs(hue.v) <= hue.e + arithmetic.tiny;
  if (hue.v < 0) hue = hue + Real(1);
  if (may_wrap || MayChangePlaces(p)) hue.e = INFINITY;
  return {hue, saturation, value};
}

Pixel ToRgb(const Pixel& p) {
  const auto [hue, saturation, value] = p;
  Pixel rgb = SharesAt(hue * Real(6));
  for (Real& channel : rgb) channel = (Real(1) - saturation + saturation * channel) * value;
  return rgb;
}

template <Pixel (*convert)(const Pixel&)>
void Convert(OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  Require(shape.rank() >= 1, "a scalar has no channels");
  if (shape.dim(shape.rank() - 1) != 3) {
    throw FailedPrecondition("pixels have three channels in the last dimension, which images of shape ",
                             shape.ToString(), " lack");
  }
  ForKind<Real>(context.tensor(0).dtype(), [&](auto) {
    const Reader<Real> from(context.input(0));
    Writer<Real> to(context.tensor(0).dtype(), shape);
    for (int64_t i = 0; i < to.size(); i += 3) {
      const Pixel pixel = convert({from[i], from[i + 1], from[i + 2]});
      for (int c = 0; c < 3; ++c) to.Set(i + c, pixel[c]);
    }
    context.Output(0, to.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"RGBToHSV", Convert<ToHsv>},
    {"HSVToRGB", Convert<ToRgb>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageColor() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
