#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes RoundTripShapes(const ShapeContext &c) {
  RangeAlongAxis(c, 1);
  MergeInputs(c, 1, 2);
  if (c.num_inputs() == 4) RequireScalar(c, 3);
  return {c.input(0)};
}
Shapes GradientShapes(const ShapeContext &c) {
  const PartialShape range = RangeAlongAxis(c, 2);
  return {MergeInputs(c, 0, 1), range, range};
}

// The steps are passed by.
Values StraightThrough(Gradient &g) {
  Values values(g.num_inputs());
  values[0] = g.dy();
  return values;
}
Values ClippedGradient(Gradient &g) {
  const NodeId gradient =
      g.Add("QuantizeAndDequantizeV4Grad", {g.dy(), g.x(0), g.x(1), g.x(2)}, SameAttrs(g, {"axis"}));
  return {Endpoint{gradient, 0}, Endpoint{gradient, 1}, Endpoint{gradient, 2}};
}
// It passes on what it is given, or nothing.
Values ClippedGradientGradient(Gradient &g) {
  Values values(g.num_inputs());
  values[0] =
      Endpoint{g.Add("QuantizeAndDequantizeV4Grad", {g.dy(), g.x(1), g.x(2), g.x(3)}, SameAttrs(g, {"axis"})), 0};
  return values;
}

constexpr const char *kStraightThrough = "it is that of the identity, not of the steps that are taken";

}  // namespace

std::span<const OpRow> QuantizationQuantizeAndDequantize() {
  static const OpRow rows[] = {
      {.signature = "QuantizeAndDequantize(input: T) -> (output: T)",
       .attrs = "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; input_min: float = 0; "
                "input_max: float = 0; T: type in [floats]",
       .doc = "QuantizeAndDequantizeV2 with one range for all, which attributes give; halves go to the even number.",
       .cpu = "T in [float32, float64]",
       .shape = "[d...] -> [d...]",
       .accuracy = Composed(1),
       .gradient = StraightThrough,
       .gradient_trial = {.untried = kStraightThrough},
       .samples = {"num_bits=8/2/24 range_given=true input_min=-1 input_max=3: [n b]",
                   "num_bits=3 signed_input=false/true: [n b] finite"},
       .deprecated = {22, "Replaced by QuantizeAndDequantizeV2"}},
      {.signature = "QuantizeAndDequantizeV2(input: T, input_min: T, input_max: T) -> (output: T)",
       .attrs = "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; T: type in [floats]; "
                "round_mode: string = 'HALF_TO_EVEN' in ['HALF_TO_EVEN', 'HALF_UP']; narrow_range: bool = false; "
                "axis: int = -1",
       .doc = "The input rounded to whole numbers of num_bits bits, in units that just hold the given range, or else "
              "the least and the greatest number of the input. Numbers beyond a given range become its ends. With an "
              "axis, each slice along it has a range.",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]",
       .shape_fn = RoundTripShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .gradient = StraightThrough,
       .gradient_trial = {.untried = kStraightThrough},
       .samples = {"num_bits=8/2/24 range_given=true "
                   "round_mode='HALF_TO_EVEN'/'HALF_UP' "
                   "narrow_range=false/true: [n b] "
                   "-1 3",
                   "num_bits=3 signed_input=false/true range_given=false: [n "
                   "b] finite 0 0",
                   "num_bits=5 range_given=false/true axis=1: [n C b] finite "
                   "[C] in -4..-1 [C] in 1..5",
                   "num_bits=1 signed_input=false range_given=true: [b] -2 2"}},
      {.signature = "QuantizeAndDequantizeV3(input: T, input_min: T, input_max: T, num_bits: int32) -> (output: T)",
       .attrs = "signed_input: bool = true; range_given: bool = true; T: type in [floats]; narrow_range: bool = "
                "false; axis: int = -1",
       .doc = "QuantizeAndDequantizeV2 with a number of bits that is an input; halves go to the even number.",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]",
       .shape_fn = RoundTripShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .gradient = StraightThrough,
       .gradient_trial = {.untried = kStraightThrough},
       .samples = {"signed_input=false/true narrow_range=false/true: [n b] -1 3 8",
                   "range_given=false: [b] finite 0 0 4", "axis=0: [C b] [C] in -4..-1 [C] in 1..5 6"}},
      {.signature = "QuantizeAndDequantizeV4(input: T, input_min: T, input_max: T) -> (output: T)",
       .attrs = "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; T: type in [floats]; "
                "round_mode: string = 'HALF_TO_EVEN' in ['HALF_TO_EVEN', 'HALF_UP']; narrow_range: bool = false; "
                "axis: int = -1",
       .doc = "QuantizeAndDequantizeV2, whose gradient is 0 where the input lies beyond the range.",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]",
       .shape_fn = RoundTripShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .gradient = ClippedGradient,
       .gradient_trial = {.untried = kStraightThrough},
       .samples = {"num_bits=8/3 range_given=true round_mode='HALF_TO_EVEN'/'HALF_UP' narrow_range=false/true: [n b] "
                   "-1 3",
                   "num_bits=3 signed_input=false/true range_given=false: [n b] finite 0 0",
                   "num_bits=5 range_given=false/true axis=1: [n C b] finite [C] in -4..-1 [C] in 1..5"}},
      {.signature = "QuantizeAndDequantizeV4Grad(gradients: T, input: T, input_min: T, input_max: T) -> "
                    "(input_backprop: T, input_min_backprop: T, input_max_backprop: T)",
       .attrs = "T: type in [floats]; axis: int = -1",
       .doc = "The gradients where the input is in the range, else 0; the ends of the range get none.",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]",
       .shape_fn = GradientShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ClippedGradientGradient,
       .samples = {"[n b] [n b] -1 3", "axis=1: [n C b] [n C b] [C] in -4..-1 [C] in 1..5"}},
  };
  return rows;
}

}  // namespace plumb::topics
