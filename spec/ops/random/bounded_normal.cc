#include <cmath>
#include <utility>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes BoundedShapes(const ShapeContext& c) {
  for (int i = 1; i < 5; ++i) WithRankAtMost(c, i, 1);
  return {ConstantShape(c, 0)};
}

// Parameters are broadcast; whether the result ends with their common shape is seen in the run.
Shapes SeededBoundedShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 1, 1).dim(0), 2);
  PartialShape common = c.input(2);
  for (int i = 3; i < 6; ++i) common = Broadcast(c, common, c.input(i));
  return {ConstantShape(c, 0)};
}

// The share of normal numbers below x.
Endpoint ShareBelow(Gradient& g, Endpoint x) {
  const DType type = g.dtype(x);
  const Endpoint tail = g.Call("Erfc", {g.Call("Mul", {x, g.Scalar(-std::sqrt(0.5), type)})});
  return g.Call("Mul", {g.Scalar(0.5, type), tail});
}

// The smallest normal number of a type, and how far the number above 1 is from it.
std::pair<double, double> TinyAndEpsilon(DType type) {
  switch (type) {
    case DType::kHalf:
      return {0x1p-14, 0x1p-10};
    case DType::kDouble:
      return {0x1p-1022, 0x1p-52};
    default:
      return {0x1p-126, 0x1p-23};
  }
}

// A sample moves with a bound so that the share of the distribution below it stays what it is; with mean and deviation
// it moves as if the bounds moved along.
Values SeededBoundedGradient(Gradient& g) {
  const DType type = g.dtype(g.y());
  const auto in_deviations = [&](Endpoint x) { return g.Call("RealDiv", {g.Call("Sub", {x, g.x(2)}), g.x(3)}); };
  const Endpoint sample = in_deviations(g.y()), low = in_deviations(g.x(4)), high = in_deviations(g.x(5));
  const Endpoint below = ShareBelow(g, low);
  const Endpoint among = g.Call("Sub", {ShareBelow(g, high), below});
  const auto [tiny, epsilon] = TinyAndEpsilon(type);
  const Endpoint share =
      g.Call("ClipByValue", {g.Call("RealDiv", {g.Call("Sub", {ShareBelow(g, sample), below}), among}),
                             g.Scalar(tiny, type), g.Scalar(1 - epsilon, type)});
  const auto density_beside = [&](Endpoint bound, Endpoint log_share) {
    const Endpoint squares = g.Call("Sub", {g.Call("Square", {sample}), g.Call("Square", {bound})});
    return g.Call("Exp", {g.Call("AddV2", {g.Call("Mul", {g.Scalar(0.5, type), squares}), log_share})});
  };
  const Endpoint slopes[] = {sample, density_beside(low, g.Call("Log1p", {g.Call("Neg", {share})})),
                             density_beside(high, g.Call("Log", {share}))};
  Values dxs(2);
  dxs.push_back(g.SumToShapeOf(g.dy(), g.x(2), g.y()));
  for (int i = 0; i < 3; ++i) {
    dxs.push_back(g.SumToShapeOf(g.Call("Mul", {g.dy(), slopes[i]}), g.x(3 + i), g.y()));
  }
  return dxs;
}

}  // namespace

std::span<const OpRow> RandomBoundedNormal() {
  static const OpRow rows[] = {
      {.signature = "ParameterizedTruncatedNormal(shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: "
                    "dtype) -> (output: dtype) stateful draws_numbers",
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
      {.signature = "StatelessParameterizedTruncatedNormal(shape: S, seed: Tseed, means: dtype, stddevs: dtype, "
                    "minvals: dtype, maxvals: dtype) -> (output: dtype)",
       .attrs = "S: type in [int32, int64]; Tseed: type = int64 in [int32, int64]; dtype: type in [float16, float32, "
                "float64]",
       .doc = "ParameterizedTruncatedNormal by two seeds, and by parameters of any shapes that broadcast together: the "
              "result's shape ends with their common one (rule R86).",
       .shape_fn = SeededBoundedShapes,
       .cost = 256,
       .accuracy = Statistical(4),
       .gradient = SeededBoundedGradient,
       .gradient_trial = {.untried = "as TensorFlow has it, bounds are taken to move along with mean and deviation"},
       .samples = {"{5, 4} {7, 3} -0.5 2 -3 4", "{120} {1, 2} 1 1 0.5 1.25",
                   "{n, 2, 3} {-3, 1} {0, 1, 100} {{1}, {3}} {2.5, -20, 95} {6, -10, 200}", "{} {2, 5} 0 1 3 9",
                   "{0, 3} {2, 5} 0 -1 -1 1", "{3} {4, 9} {0, 1, 2} 1 {2, 2, 2} {8}"}},
  };
  return rows;
}

}  // namespace plumb::topics
