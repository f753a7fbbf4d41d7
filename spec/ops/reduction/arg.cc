#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ArgMinMaxShapes(const ShapeContext& c) {
  RequireScalar(c, 1);
  const PartialShape& input = c.input(0);
  if (!input.has_rank() || input.rank() == 0) return {input};
  const auto axis = ConstantInt(c, 1);
  if (!axis) return {PartialShape::OfRank(input.rank() - 1)};
  const int at = CanonicalAxis(c, *axis, input.rank());
  return {Join(Part(input, 0, at), Part(input, at + 1))};
}

Values ArgMaxGradient(Gradient&) { return {GradientValue::None(), GradientValue::None()}; }
Values ArgMinGradient(Gradient&) { return {GradientValue::None(), GradientValue::None()}; }

}  // namespace

std::span<const OpRow> ReductionArg() {
  static const OpRow rows[] = {
      {.signature = "ArgMax(input: T, dimension: Tidx) -> (output: output_type)",
       .attrs = "T: type in [floats, ints, quantized, bool]; Tidx: type = int32 in [int16, int32, int64]; "
                "output_type: type = int64 in [int16, uint16, int32, int64]",
       .doc = "The position of the largest element along `dimension`, the first one of several. A dimension "
              "of size 0 is an error.",
       .cpu = "T in [floats, ints, bool]",
       .gpu = "T in [floats, int64, bool]; Tidx in [int32, int64]",
       .shape_fn = ArgMinMaxShapes,
       .gradient = ArgMaxGradient,
       .gradient_trial = {.untried = "the result is no floating-point number"},
       .samples = {"[a B c] finite 1", "[A b] finite 0", "[B] in 0..3 -1"}},
      {.signature = "ArgMin(input: T, dimension: Tidx) -> (output: output_type)",
       .attrs = "T: type in [floats, ints, quantized, bool]; Tidx: type = int32 in [int32, int64]; output_type: "
                "type = int64 in [int32, int64]",
       .doc = "The position of the smallest element along `dimension`, the first one of several. A dimension "
              "of size 0 is an error.",
       .cpu = "T in [floats, ints, bool]",
       .gpu = "T in [floats, int64, bool]",
       .shape_fn = ArgMinMaxShapes,
       .gradient = ArgMinGradient,
       .gradient_trial = {.untried = "the result is no floating-point number"},
       .samples = {"[a B c] finite 1", "[A b] finite 0", "[B] in 0..3 -1"}},
  };
  return rows;
}

}  // namespace plumb::topics
