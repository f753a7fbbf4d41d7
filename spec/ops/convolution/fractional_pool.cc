#include <cmath>

#include "spec/ops/convolution/windows.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes FractionalPoolShapes(const ShapeContext& c) {
  const PartialShape input = WithRank(c, 0, 4);
  const auto& ratios = c.attr<std::vector<float>>("pooling_ratio");
  Require(ratios.size() == 4, c.op().name, ": pooling_ratio must have 4 values, not ", ratios.size());
  PartialShape output = PartialShape::OfRank(4);
  for (int i = 0; i < 4; ++i) {
    Require(ratios[i] >= 1, c.op().name, ": pooling_ratio must not be below 1: ", ratios[i]);
    if (input.dim(i) < 0) continue;
    output = WithDim(output, i, static_cast<int64_t>(std::floor(static_cast<float>(input.dim(i)) / ratios[i])));
  }
  const auto cuts = [&](int axis) { return WithDim(PartialShape::OfRank(1), 0, AddSizes(output.dim(axis), 1)); };
  return {output, cuts(1), cuts(2)};
}

Shapes FractionalMaxGradientShapes(const ShapeContext& c) { return {WithRank(c, 0, 4)}; }
// The shape of the images is looked at only where it is known.
Shapes FractionalAvgGradientShapes(const ShapeContext& c) {
  return {c.constant(0) == nullptr ? PartialShape::OfRank(4) : ConstantShape(c, 0)};
}

Values FractionalMaxPoolGradient(Gradient& g) {
  return {g.Call("FractionalMaxPoolGrad", {g.x(), g.y(0), g.dy(0), g.y(1), g.y(2)}, SameAttrs(g, {"overlapping"}))};
}
Values FractionalAvgPoolGradient(Gradient& g) {
  const Endpoint shape = g.Call("Shape", {g.x()}, {{"out_type", DType::kInt64}});
  return {g.Call("FractionalAvgPoolGrad", {shape, g.dy(0), g.y(1), g.y(2)}, SameAttrs(g, {"overlapping"}))};
}

}  // namespace

std::span<const OpRow> ConvolutionFractionalPool() {
  static const OpRow rows[] = {
      {.signature =
           "FractionalMaxPool(value: T) -> (output: T<either_zero>, row_pooling_sequence: int64, col_pooling_sequence: "
           "int64)",
       .attrs = "pooling_ratio: list(float) >= 4; pseudo_random: bool = false; overlapping: bool = false; "
                "deterministic: bool = false; seed: int = 0; seed2: int = 0; T: type in [float32, float64, int32, "
                "int64]",
       .doc =
           "The largest element of each cell of images that are cut at random: into ⌊size / pooling_ratio⌋ cells "
           "along an axis, whose sizes differ by one at most. The sequences say where the cells begin, and where the "
           "last one ends. overlapping: a cell also holds the first row and column of the next ones; "
           "pseudo_random: the cuts are ⌈α(i + u)⌉ for one random u; deterministic: the same in each execution, "
           "by the seeds.",
       .shape_fn = FractionalPoolShapes,
       .gradient = FractionalMaxPoolGradient,
       .samples = {"pooling_ratio=[1.0, 1.44, 1.73, 1.0] deterministic=true seed=7 seed2=3 "
                   "pseudo_random=false/true overlapping=false/true: [N 7 9 C] finite"}},
      {.signature = "FractionalAvgPool(value: T) -> (output: T, row_pooling_sequence: int64, col_pooling_sequence: "
                    "int64)",
       .attrs = "pooling_ratio: list(float) >= 4; pseudo_random: bool = false; overlapping: bool = false; "
                "deterministic: bool = false; seed: int = 0; seed2: int = 0; T: type in [float32, float64, int32, "
                "int64]",
       .doc = "The mean of each cell of images that are cut as FractionalMaxPool cuts them.",
       .shape_fn = FractionalPoolShapes,
       .accuracy = Summation(),
       .gradient = FractionalAvgPoolGradient,
       .samples = {"pooling_ratio=[1.0, 1.44, 1.73, 1.0] deterministic=true seed=7 seed2=3 "
                   "pseudo_random=false/true overlapping=false/true: [N 7 9 C]"}},
      {.signature =
           "FractionalMaxPoolGrad(orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence: int64, "
           "col_pooling_sequence: int64) -> (output: T)",
       .attrs = "overlapping: bool = false; T: type in [float32, float64, int32, int64]",
       .doc = "The gradient of FractionalMaxPool: each cell's gradient goes to its first largest element, found anew "
              "in orig_input. Another orig_output than FractionalMaxPool's is refused.",
       .shape_fn = FractionalMaxGradientShapes,
       .accuracy = Summation(),
       .samples = {"x = Identity T=$T: [N 5 4 C] in 0..3; y = FractionalMaxPool pooling_ratio=[1.0, 1.6, 2.0, 1.0] "
                   "deterministic=true seed=7 seed2=3 overlapping=$overlapping T=$T: x; overlapping=false/true: "
                   "x y [N 3 2 C] finite y:1 y:2",
                   "x = Identity T=$T: [N 3 3 C] finite; y = FractionalMaxPool pooling_ratio=[1.0, 1.5, 1.5, 1.0] "
                   "deterministic=true seed=5 seed2=2 overlapping=$overlapping T=$T: x; overlapping=false/true: "
                   "x y [N 2 2 C] finite y:1 y:2"}},
      {.signature =
           "FractionalAvgPoolGrad(orig_input_tensor_shape: int64, out_backprop: T, row_pooling_sequence: int64, "
           "col_pooling_sequence: int64) -> (output: T)",
       .attrs = "overlapping: bool = false; T: type in [float32, float64, int32, int64]",
       .doc = "The gradient of FractionalAvgPool: each cell's gradient in equal parts to its elements, which are added "
              "up in float64. The shape of the result is orig_input_tensor_shape.",
       .shape_fn = FractionalAvgGradientShapes,
       .accuracy = Summation(),
       .samples = {"overlapping=false/true: {N, 5, 4, C} [N 3 2 C] {0, 2, 3, 5} {0, 2, 4}",
                   "overlapping=false/true: {N, 3, 3, C} [N 2 2 C] {0, 1, 3} {0, 2, 3}"}},
  };
  return rows;
}

}  // namespace plumb::topics
