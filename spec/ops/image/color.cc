#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// The three channels of a pixel, or what belongs to each of them.
struct Channels {
  Endpoint red, green, blue;
};

Channels Unpacked(Gradient& g, Endpoint pixels) {
  const NodeId channels = g.Add("Unpack", {pixels}, {{"num", 3}, {"axis", -1}});
  return {{channels, 0}, {channels, 1}, {channels, 2}};
}

// 1 where both comparisons hold, else 0.
Endpoint Both(Gradient& g, Endpoint a, Endpoint b, DType type) {
  return g.Call("Cast", {g.Call("LogicalAnd", {a, b})}, {{"DstT", type}});
}

// Which channel is the largest, and which the smallest; of equal ones red is larger than green and green than blue.
Channels Largest(Gradient& g, const Channels& x, DType type) {
  const auto above = [&](Endpoint a, Endpoint b) { return g.Call("Greater", {a, b}); };
  const auto from = [&](Endpoint a, Endpoint b) { return g.Call("GreaterEqual", {a, b}); };
  return {Both(g, from(x.red, x.blue), from(x.red, x.green), type),
          Both(g, above(x.green, x.red), from(x.green, x.blue), type),
          Both(g, above(x.blue, x.red), above(x.blue, x.green), type)};
}
Channels Smallest(Gradient& g, const Channels& x, DType type) {
  const auto below = [&](Endpoint a, Endpoint b) { return g.Call("Less", {a, b}); };
  const auto up_to = [&](Endpoint a, Endpoint b) { return g.Call("LessEqual", {a, b}); };
  return {Both(g, below(x.red, x.blue), below(x.red, x.green), type),
          Both(g, up_to(x.green, x.red), below(x.green, x.blue), type),
          Both(g, up_to(x.blue, x.red), up_to(x.blue, x.green), type)};
}

// With V the largest channel, r the range between the extremes: S = r / V, and 6 H = (difference of the two others) / r
// besides a constant.
Values RGBToHSVGradient(Gradient& g) {
  const DType type = g.dtype(g.x());
  const auto add = [&](Endpoint a, Endpoint b) { return g.Call("AddV2", {a, b}); };
  const auto subtract = [&](Endpoint a, Endpoint b) { return g.Call("Sub", {a, b}); };
  const auto multiply = [&](Endpoint a, Endpoint b) { return g.Call("Mul", {a, b}); };
  const Channels x = Unpacked(g, g.x()), largest = Largest(g, x, type), smallest = Smallest(g, x, type);
  const Channels hsv = Unpacked(g, g.y()), dy = Unpacked(g, g.dy());
  const Endpoint zero = g.Scalar(0, type), one = g.Scalar(1, type);
  const Endpoint is_positive = g.Call("Cast", {g.Call("Greater", {hsv.blue, zero})}, {{"DstT", type}});
  const Endpoint inverse_value = g.Call("DivNoNan", {is_positive, hsv.blue});
  const Endpoint least = g.Call("Minimum", {g.Call("Minimum", {x.red, x.green}), x.blue});
  const Endpoint inverse_range = g.Call("DivNoNan", {one, subtract(hsv.blue, least)});
  const Endpoint difference =
      add(add(multiply(largest.red, subtract(x.green, x.blue)), multiply(largest.green, subtract(x.blue, x.red))),
          multiply(largest.blue, subtract(x.red, x.green)));
  const Endpoint place = multiply(difference, inverse_range), rest = subtract(one, hsv.green);
  const Endpoint per_saturation = multiply(dy.green, inverse_value);
  const Endpoint per_hue = multiply(multiply(dy.red, inverse_range), g.Scalar(1.0 / 6, type));
  // `ahead`: the channel that is the largest where this one counts up in the difference; `behind`: where it counts
  // down.
  const auto channel = [&](Endpoint large, Endpoint small, Endpoint ahead, Endpoint behind) {
    const Endpoint saturation = multiply(per_saturation, subtract(multiply(large, rest), small));
    const Endpoint hue = multiply(per_hue, subtract(subtract(ahead, behind), multiply(place, subtract(large, small))));
    return add(add(multiply(dy.blue, large), saturation), hue);
  };
  return {g.Call("Pack",
                 {channel(largest.red, smallest.red, largest.blue, largest.green),
                  channel(largest.green, smallest.green, largest.red, largest.blue),
                  channel(largest.blue, smallest.blue, largest.green, largest.red)},
                 {{"axis", -1}})};
}

}  // namespace

std::span<const OpRow> ImageColor() {
  static const OpRow rows[] = {
      {.signature = "RGBToHSV(images: T) -> (output: T)",
       .attrs = "T: type = float32 in [float16, bfloat16, float32, float64]",
       .doc = "Pixels as hue, saturation and value, each from 0 to 1 where those of the image are.",
       .gpu = "T in [floats]",
       .shape = "[d... 3] -> [d... 3]",
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = RGBToHSVGradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d... 3]", "[n 3] in 0..1"}},
      {.signature = "HSVToRGB(images: T) -> (output: T)",
       .attrs = "T: type = float32 in [float16, bfloat16, float32, float64]",
       .doc = "Pixels of hue, saturation and value as red, green and blue.",
       .gpu = "T in [floats]",
       .shape = "[d... 3] -> [d... 3]",
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = BlocksGradient(),
       .samples = {"[d... 3]", "[n 3] in 0..1"}},
  };
  return rows;
}

}  // namespace plumb::topics
