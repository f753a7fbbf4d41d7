#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes BoundedShapes(const ShapeContext& c) {
  for (int i = 1; i < 5; ++i) WithRankAtMost(c, i, 1);
  return {ConstantShape(c, 0)};
}

}  // namespace

std::span<const OpRow> RandomBoundedNormal() {
  static const OpRow rows[] = {
      {.signature = "ParameterizedTruncatedNormal(shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: "
                    "dtype) -> (output: dtype) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .doc = "Normally distributed numbers between minvals and maxvals, each a scalar or a number for each row; what "
              "falls outside is drawn again (rule R86).",
       .cpu = "dtype in [float16, float32, float64]",
       .gpu = "dtype in [float16, float32, float64]",
       .shape_fn = BoundedShapes,
       .cost = 256,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       .samples = {"seed=7 seed2=3: {5, 4} -0.5 2 -3 4", "seed=1 seed2=2: {120} 1 1 0.5 1.25",
                   "seed=3 seed2=1: {3, n} {0, 1, 100} {1, 2, 3} {2.5, -20, 95} {6, -10, 200}",
                   "seed=2 seed2=5: {0, 3} 0 1 -1 1", "seed=4 seed2=9: {7} {0} 1 {2} {8}"}},
  };
  return rows;
}

}  // namespace plumb::topics
