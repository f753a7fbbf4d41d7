#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes DiagShapes(const ShapeContext& c) {
  const PartialShape& diagonal = WithRankAtLeast(c, 0, 1);
  return {Join(diagonal, diagonal)};
}

Shapes DiagPartShapes(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  if (!input.has_rank()) return {input};
  Require(input.rank() > 0 && input.rank() % 2 == 0, InputName(c, 0), " must have an even number of dimensions, not ",
          input.ToString());
  const int half = input.rank() / 2;
  return {MergeShapes(c, Part(input, 0, half), Part(input, half))};
}

Values DiagGradient(Gradient& g) { return {g.Call("DiagPart", {g.dy()})}; }
Values DiagPartGradient(Gradient& g) { return {g.Call("Diag", {g.dy()})}; }

}  // namespace

std::span<const OpRow> ArrayDiag() {
  static const OpRow rows[] = {
      {.signature = "Diag(diagonal: T) -> (output: T)",
       .attrs = "T: type in [floats, int32, int64, complexes]",
       .doc =
           "A tensor of twice as many dimensions, with `diagonal` where both halves of the coordinates are equal, and "
           "zeros elsewhere.",
       .cpu = "T in [float16, float32, float64, int32, int64, complexes]",
       .gpu = "all",
       .shape_fn = DiagShapes,
       .gradient = DiagGradient,
       .samples = {"[7]", "[2 3]", "[1 2 3]"}},
      {.signature = "DiagPart(input: T) -> (diagonal: T)",
       .attrs = "T: type in [floats, int32, int64, complexes]",
       .doc = "The elements for which both halves of the coordinates are equal. The halves of the shape must be equal.",
       .cpu = "T in [float16, float32, float64, int32, int64, complexes]",
       .gpu = "all",
       .shape_fn = DiagPartShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = DiagPartGradient,
       .samples = {"[n n]", "[2 3 2 3]", "[1 2 3 1 2 3]"}},
  };
  return rows;
}

}  // namespace plumb::topics
