// Codes of images whose channels have ranges of their own: the range that they take up, and codes of one range for all.
#include <algorithm>
#include <vector>

#include "reference/numbers/element.h"
#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

// |code| as the machine takes it: that of the least one does not fit and stays negative.
int64_t Magnitude(int64_t code) { return code == std::numeric_limits<int32_t>::min() ? code : std::abs(code); }
// A channel's end as TensorFlow takes it: rounded to float32, from which 2³¹ comes back as the least code.
int64_t ThroughFloat(int64_t code) {
  const auto rounded = static_cast<int64_t>(static_cast<float>(code));
  return rounded > std::numeric_limits<int32_t>::max() ? std::numeric_limits<int32_t>::min() : rounded;
}
// The right one only where it is greater.
Real Most(Real a, Real b) { return {a.v < b.v ? b.v : a.v, std::max(a.e, b.e), 0}; }

void RequantizationRangePerChannel(OpContext& c) {
  const Shape &shape = c.tensor(0).shape(), &min = c.tensor(1).shape(), &max = c.tensor(2).shape();
  const int64_t channels = max.elements();
  Require(min.rank() >= 1 && max.rank() >= 1 && min.dim(0) == channels && max.dim(0) == channels &&
              min.elements() == channels,
          "input_min and input_max must be vectors of one size, not of shape ", min.ToString(), " and ",
          max.ToString());
  Require(shape.elements() > 0 && shape.rank() == 4 && shape.dim(3) == channels, "the input must be images of ",
          channels, " channels, not of shape ", shape.ToString());
  ComputeIn(DType::kFloat);
  const Reader<Integer> input(c.input(0));
  const Reader<Real> lows(c.input(1)), highs(c.input(2));
  bool is_negative = false;
  Real farthest(std::numeric_limits<float>::min());
  for (int64_t channel = 0; channel < channels; ++channel) {
    int64_t least = input.size() > 0 ? static_cast<int64_t>(input[channel]) : 0, most = least;
    for (int64_t i = channel; i < input.size(); i += channels) {
      least = std::min(least, static_cast<int64_t>(input[i]));
      most = std::max(most, static_cast<int64_t>(input[i]));
    }
    least = ThroughFloat(least);
    most = ThroughFloat(most);
    is_negative |= least < 0;
    const Real scale = Most(Abs(lows[channel]), Abs(highs[channel]));
    const auto code = static_cast<float>(std::max(Magnitude(least), Magnitude(most)));
    farthest = Most(farthest, Single(Single(scale * Real(code)) / Real(0x1p31)));
  }
  const float clip = c.attr<float>("clip_value_max");
  if (farthest.v > clip) farthest.v = clip;
  OutputFloat(c, 0, is_negative ? -farthest : Real(0));
  OutputFloat(c, 1, farthest);
}

// The nearest of the 8-bit codes, of two the even one; what is no number is the first or the last one, by the type.
int64_t Nearest(const Codes& codes, float place) {
  if (std::isnan(place)) return codes.low < 0 ? codes.high : codes.low;
  return static_cast<int64_t>(std::nearbyint(std::clamp(place, codes.first(), codes.last())));
}

void RequantizePerChannel(OpContext& c) {
  const DType to = c.output_type(0);
  const Reader<Real> lows(c.input(1)), highs(c.input(2));
  const Real min = OneFloat(c, 3), max = OneFloat(c, 4);
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() == 4, "the input must be images, not of shape ", shape.ToString());
  Require(lows.size() == highs.size() && (lows.size() == 1 || lows.size() == shape.dim(3)),
          "input_min and input_max must hold one number, or one for each of ", shape.dim(3), " channels, not ",
          lows.size(), " and ", highs.size());
  Require(to == DType::kQuint8 || min.v < 0, "requested_output_min must be below 0 for qint8, not ", min.v);
  ComputeIn(DType::kFloat);
  const Codes codes = CodesOf(to);
  const Reader<Integer> input(c.input(0));
  Writer<Integer> output(to, shape);
  const Real wanted = Most(Abs(min), Abs(max));
  for (int64_t i = 0; i < input.size(); ++i) {
    const int64_t channel = lows.size() == 1 ? 0 : i % shape.dim(3);
    const Real size = Most(Abs(lows[channel]), Abs(highs[channel]));
    const Real scale = Single(codes.last() * Single(Single(size / wanted) / Real(0x1p31)));
    const Real code(static_cast<float>(static_cast<int64_t>(input[i])));
    output.Set(i, Nearest(codes, ValueOf(code * scale)));
  }
  c.Output(0, output.Take());
  OutputFloat(c, 1, min);
  OutputFloat(c, 2, max);
}

constexpr KernelRow kRows[] = {
    {"RequantizationRangePerChannel", RequantizationRangePerChannel},
    {"RequantizePerChannel", RequantizePerChannel},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationRequantizePerChannel() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
