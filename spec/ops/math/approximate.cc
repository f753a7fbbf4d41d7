#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes OfEither(const ShapeContext& c) { return {MergeInputs(c, 0, 1)}; }

}  // namespace

std::span<const OpRow> MathApproximate() {
  static const OpRow rows[] = {
      {.signature = "ApproximateEqual(x: T, y: T) -> (z: bool) commutative",
       .attrs = "T: type in [numbers, quantized]; tolerance: float = 0.00001",
       .doc = "Whether |x - y| is below the tolerance. x and y have one shape.",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]",
       .shape_fn = OfEither,
       .gradient = BlocksGradient(),
       .samples = {"tolerance=0.00001/0.5/4: [d...] in 0..3 [d...] in 0..3", "tolerance=1/100: [d...] [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
