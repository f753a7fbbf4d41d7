#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

PartialShape Scalar(const ShapeContext& c, std::initializer_list<int> inputs) {
  for (const int i : inputs) RequireScalar(c, i);
  return PartialShape(Shape());
}

Shapes FakeQuantShapes(const ShapeContext& c) {
  Scalar(c, {1, 2});
  return {c.input(0)};
}
Shapes FakeQuantGradientShapes(const ShapeContext& c) {
  const PartialShape scalar = Scalar(c, {2, 3});
  return {MergeInputs(c, 0, 1), scalar, scalar};
}

// A range for each entry of the last dimension: vectors `min` and the one after it. `channels` becomes their size.
PartialShape PerChannel(const ShapeContext& c, const PartialShape& input, int min, PartialShape& channels) {
  Require(!input.has_rank() || input.rank() >= 1, InputName(c, 0), " must have at least one dimension");
  int64_t size = MergeDims(c, WithRank(c, min, 1).dim(0), WithRank(c, min + 1, 1).dim(0));
  if (input.has_rank()) size = MergeDims(c, size, input.dim(input.rank() - 1));
  channels = {size};
  return input.has_rank() ? WithDim(input, input.rank() - 1, size) : input;
}
Shapes PerChannelShapes(const ShapeContext& c) {
  PartialShape channels;
  return {PerChannel(c, c.input(0), 1, channels)};
}
Shapes PerChannelGradientShapes(const ShapeContext& c) {
  PartialShape channels;
  const PartialShape input = PerChannel(c, MergeInputs(c, 0, 1), 2, channels);
  return {input, channels, channels};
}

Values ThreeGradients(Gradient& g, std::string_view op) {
  const NodeId gradient = g.Add(op, {g.dy(), g.x(0), g.x(1), g.x(2)}, SameAttrs(g, {"num_bits", "narrow_range"}));
  return {Endpoint{gradient, 0}, Endpoint{gradient, 1}, Endpoint{gradient, 2}};
}
Values ArgsGradient(Gradient& g) {
  return {g.Call("FakeQuantWithMinMaxArgsGradient", {g.dy(), g.x()},
                 SameAttrs(g, {"min", "max", "num_bits", "narrow_range"}))};
}
Values FakeQuantGradient(Gradient& g) { return ThreeGradients(g, "FakeQuantWithMinMaxVarsGradient"); }
Values PerChannelGradient(Gradient& g) { return ThreeGradients(g, "FakeQuantWithMinMaxVarsPerChannelGradient"); }

constexpr const char* kStraightThrough = "it is that of the identity between the ends, not of the steps that are taken";

}  // namespace

std::span<const OpRow> QuantizationFakeQuant() {
  static const OpRow rows[] = {
      {.signature = "FakeQuantWithMinMaxArgs(inputs: float32) -> (outputs: float32)",
       .attrs = "min: float = -6; max: float = 6; num_bits: int = 8; narrow_range: bool = false",
       .doc = "FakeQuantWithMinMaxVars with a range that attributes give, which must not be empty.",
       .gpu = "all",
       .shape_fn = LikeFirst,
       .accuracy = Composed(1),
       .gradient = ArgsGradient,
       .gradient_trial = {.untried = kStraightThrough},
       .samples = {"min=-1.0 max=3.0 num_bits=8/2/16 narrow_range=false/true: [n b]", "min=2.0 max=5.0 num_bits=5: [b]",
                   "min=-5.0 max=-2.0 num_bits=5: [b]"}},
      {.signature = "FakeQuantWithMinMaxArgsGradient(gradients: float32, inputs: float32) -> (backprops: float32)",
       .attrs = "min: float = -6; max: float = 6; num_bits: int = 8; narrow_range: bool = false",
       .doc = "The gradients of FakeQuantWithMinMaxArgs where inputs are between the moved ends, else 0.",
       .gpu = "all",
       .shape_fn = LikeFirst,
       .accuracy = Composed(1),
       .samples = {"min=-1.0 max=3.0 num_bits=8/2 narrow_range=false/true: [n b] [n b]",
                   "min=-5.0 max=-2.0 num_bits=5: [n b] [n b]"}},
      {.signature = "FakeQuantWithMinMaxVars(inputs: float32, min: float32, max: float32) -> (outputs: float32)",
       .attrs = "num_bits: int = 8; narrow_range: bool = false",
       .doc = "inputs rounded to the nearest of 2^num_bits places between min and max, or one place fewer in a "
              "narrow_range. The range is moved first so that 0 is one of the places. All zeros where min and max are.",
       .gpu = "all",
       .shape_fn = FakeQuantShapes,
       .accuracy = Composed(1),
       .gradient = FakeQuantGradient,
       .gradient_trial = {.untried = kStraightThrough},
       .samples = {"num_bits=8/2/16 narrow_range=false/true: [n b] -1 3", "num_bits=4: [n b] finite 0 0",
                   "num_bits=5: [b] 2 5", "num_bits=5: [b] -5 -2"}},
      {.signature = "FakeQuantWithMinMaxVarsGradient(gradients: float32, inputs: float32, min: float32, max: float32) "
                    "-> (backprops_wrt_input: float32, backprop_wrt_min: float32, backprop_wrt_max: float32)",
       .attrs = "num_bits: int = 8; narrow_range: bool = false",
       .doc = "The gradients of FakeQuantWithMinMaxVars: those of inputs between the moved ends go to the input, the "
              "sums of those below and above to min and max.",
       .gpu = "all",
       .shape_fn = FakeQuantGradientShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"num_bits=8/2 narrow_range=false/true: [n b] [n b] -1 3", "num_bits=4: [n b] [n b] 0 0",
                   "num_bits=5: [n b] [n b] -5 -2"}},
      {.signature =
           "FakeQuantWithMinMaxVarsPerChannel(inputs: float32, min: float32, max: float32) -> (outputs: float32)",
       .attrs = "num_bits: int = 8; narrow_range: bool = false",
       .doc = "FakeQuantWithMinMaxVars, with a range for each entry of the last dimension.",
       .gpu = "all",
       .shape_fn = PerChannelShapes,
       .accuracy = Composed(1),
       .gradient = PerChannelGradient,
       .gradient_trial = {.untried = kStraightThrough},
       .samples = {"num_bits=8/2/16 narrow_range=false/true: [n b C] [C] in -4..-1 [C] in 1..5",
                   "num_bits=4: [n 2] {0, -2} {0, 3}", "num_bits=4: [n 2] {-5, -3} {-2, -1}"}},
      {.signature = "FakeQuantWithMinMaxVarsPerChannelGradient(gradients: float32, inputs: float32, min: float32, max: "
                    "float32) -> (backprops_wrt_input: float32, backprop_wrt_min: float32, backprop_wrt_max: float32)",
       .attrs = "num_bits: int = 8; narrow_range: bool = false",
       .doc = "The gradients of FakeQuantWithMinMaxVarsPerChannel, channel by channel.",
       .gpu = "all",
       .shape_fn = PerChannelGradientShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"num_bits=8/2 narrow_range=false/true: [n b C] [n b C] [C] in -4..-1 [C] in 1..5",
                   "num_bits=4: [n 2] [n 2] {0, -2} {0, 3}"}},
  };
  return rows;
}

}  // namespace plumb::topics
