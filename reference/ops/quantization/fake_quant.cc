// Numbers rounded to places in a range, and the gradients that see the range alone.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void CheckBits(const Node& node) {
  const auto bits = GetAttr<int64_t>(node.attrs, "num_bits");
  Require(2 <= bits && bits <= 16, "num_bits must be in [2, 16], not ", bits, ", at node '", node.name, "'");
}

void CheckArgs(const Node& node) {
  CheckBits(node);
  const auto min = GetAttr<float>(node.attrs, "min"), max = GetAttr<float>(node.attrs, "max");
  Require(min < max, "min must be less than max, not ", min, " and ", max, ", at node '", node.name, "'");
}

// A step's result as float32 holds it: where a number lies between two places, the steps of TensorFlow's kernel decide.
Real Held(const Real& x) { return {RoundTo(DType::kFloat, x.v), x.e, x.d}; }

// A range, moved so that 0 is one of its places.
struct Places {
  bool empty = false;  // both ends are 0
  Real scale, low, high;

  Real Nearest(Real x) const {
    if (empty) return 0;
    const Real inverse = Held(Real(1) / scale);
    const Real clamped = IsNan(x) ? x : Max(Min(x, high), low);
    const Real zero = Floor(Held(Held(-low * inverse) + Real(0.5)));
    const Real place = Held(Held(Held(clamped - low) * inverse) - zero);
    return Floor(Held(place + Real(0.5))) * scale;
  }
  // 1 where x is between the ends, below or above; else 0.
  Real Inside(Real x) const {
    if (empty) return 1;
    const Real room = Min(x - low, high - x);
    return TakenIf(x >= low && x <= high, room, 0, 1);
  }
  Real Below(Real x) const { return empty ? Real(0) : TakenIf(x < low, x - low, 0, 1); }
  Real Above(Real x) const { return empty ? Real(0) : TakenIf(x > high, x - high, 0, 1); }
};

Places PlacesOf(const OpContext& c, Real min, Real max) {
  if (min.v == 0 && max.v == 0) return {true, {}, {}, {}};
  const double first = c.attr<bool>("narrow_range") ? 1 : 0;
  const double last = std::ldexp(1.0, static_cast<int>(c.attr<int64_t>("num_bits"))) - 1;
  const Real scale = Held(Held(max - min) / Real(last - first));
  Real wanted = Held(Real(first) - Held(min / scale));
  if (min.e == 0 && max.e == 0) wanted.e = 0;  // of such a range, as of [-1, 1], every implementation has the same zero
  const Real zero = Step(wanted, [&](double t) {
    return t < first ? first : t > last ? last : std::isnan(t) ? 0 : std::round(t);
  });
  return {false, scale, Held((Real(first) - zero) * scale), Held((Real(last) - zero) * scale)};
}

// Places for each channel: one for all where the range is of scalars.
std::vector<Places> PlacesOf(const OpContext& c, int min, const Shape& shape, bool per_channel) {
  const Shape &low = c.tensor(min).shape(), &high = c.tensor(min + 1).shape();
  if (per_channel) {
    Require(shape.rank() >= 1, "inputs must have at least one dimension");
    const Shape channels({shape.dim(shape.rank() - 1)});
    Require(low == channels && high == channels, "min and max must have the shape ", channels.ToString(), ", not ",
            low.ToString(), " and ", high.ToString());
  } else {
    Require(low.rank() == 0 && high.rank() == 0, "min and max must be scalars, not of shape ", low.ToString(), " and ",
            high.ToString());
  }
  const Reader<Real> lows(c.input(min)), highs(c.input(min + 1));
  std::vector<Places> places;
  for (int64_t i = 0; i < lows.size(); ++i) places.push_back(PlacesOf(c, lows[i], highs[i]));
  return places;
}

Places PlacesOfArgs(const OpContext& c) { return PlacesOf(c, Real(c.attr<float>("min")), Real(c.attr<float>("max"))); }
void FakeQuantArgs(OpContext& c) {
  ComputeIn(DType::kFloat);
  const Places places = PlacesOfArgs(c);
  const Reader<Real> inputs(c.input(0));
  Writer<Real> outputs(DType::kFloat, inputs.shape());
  for (int64_t i = 0; i < inputs.size(); ++i) outputs.Set(i, places.Nearest(inputs[i]));
  c.Output(0, outputs.Take());
}
void FakeQuantArgsGradient(OpContext& c) {
  ComputeIn(DType::kFloat);
  const Places places = PlacesOfArgs(c);
  const Reader<Real> gradients(c.input(0)), inputs(c.input(1));
  Require(gradients.shape() == inputs.shape(), "gradients and inputs differ in shape: ", gradients.shape().ToString(),
          ", ", inputs.shape().ToString());
  Writer<Real> backprops(DType::kFloat, inputs.shape());
  for (int64_t i = 0; i < inputs.size(); ++i) backprops.Set(i, gradients[i] * places.Inside(inputs[i]));
  c.Output(0, backprops.Take());
}

template <bool per_channel>
void FakeQuant(OpContext& c) {
  ComputeIn(DType::kFloat);
  const Reader<Real> inputs(c.input(0));
  const auto places = PlacesOf(c, 1, inputs.shape(), per_channel);
  Writer<Real> outputs(DType::kFloat, inputs.shape());
  for (int64_t i = 0; i < inputs.size(); ++i) {
    outputs.Set(i, places[i % std::ssize(places)].Nearest(inputs[i]));
  }
  c.Output(0, outputs.Take());
}

template <bool per_channel>
void FakeQuantGradient(OpContext& c) {
  ComputeIn(DType::kFloat);
  const Reader<Real> gradients(c.input(0)), inputs(c.input(1));
  Require(gradients.shape() == inputs.shape(), "gradients and inputs differ in shape: ", gradients.shape().ToString(),
          ", ", inputs.shape().ToString());
  const auto places = PlacesOf(c, 2, inputs.shape(), per_channel);
  Writer<Real> by_input(DType::kFloat, inputs.shape()), by_min(DType::kFloat, c.tensor(2).shape()),
      by_max(DType::kFloat, c.tensor(3).shape());
  std::vector<Sum> below(places.size()), above(places.size());
  for (int64_t i = 0; i < inputs.size(); ++i) {
    const int64_t channel = i % std::ssize(places);
    const Places& range = places[channel];
    by_input.Set(i, gradients[i] * range.Inside(inputs[i]));
    if (range.empty) continue;
    below[channel].Add(gradients[i] * range.Below(inputs[i]));
    above[channel].Add(gradients[i] * range.Above(inputs[i]));
  }
  for (int64_t i = 0; i < by_min.size(); ++i) {
    by_min.Set(i, below[i].Result());
    by_max.Set(i, above[i].Result());
  }
  c.Output(0, by_input.Take());
  c.Output(1, by_min.Take());
  c.Output(2, by_max.Take());
}

constexpr KernelRow kRows[] = {
    {"FakeQuantWithMinMaxArgs", FakeQuantArgs, CheckArgs},
    {"FakeQuantWithMinMaxArgsGradient", FakeQuantArgsGradient, CheckArgs},
    {"FakeQuantWithMinMaxVars", FakeQuant<false>, CheckBits},
    {"FakeQuantWithMinMaxVarsGradient", FakeQuantGradient<false>, CheckBits},
    {"FakeQuantWithMinMaxVarsPerChannel", FakeQuant<true>, CheckBits},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", FakeQuantGradient<true>, CheckBits},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationFakeQuant() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
