#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SamplesForEach(const ShapeContext& c) { return {Join(ConstantShape(c, 0), c.input(1))}; }

// Samples move with alpha so that the share of the distribution below each stays what it is.
Values RandomGammaGradient(Gradient& g) {
  const Endpoint slope = g.Call("RandomGammaGrad", {g.x(1), g.y()});
  const Endpoint rank = g.Call("Size", {g.x(0)});
  const Endpoint axes = g.Call("Range", {Zero(g), rank, One(g)});
  return {GradientValue::None(), g.Call("Sum", {g.Call("Mul", {g.dy(), slope}), axes})};
}

Shapes SeededShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 1, 1).dim(0), 2);
  return {ConstantShape(c, 0)};
}

Shapes KeyedShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 1, 1).dim(0), 1);
  WithRank(c, 2, 1);
  RequireScalar(c, 3);
  return {ConstantShape(c, 0)};
}

// The same, where `shape` holds the axes of alpha as well, its last input.
Values StatelessGammaGradient(Gradient& g) {
  const int alpha = g.num_inputs() - 1;
  const Endpoint slope = g.Call("RandomGammaGrad", {g.x(alpha), g.y()});
  const Endpoint rank = g.Call("Sub", {g.Call("Size", {g.x(0)}), g.Call("Rank", {g.x(alpha)})});
  const Endpoint axes = g.Call("Range", {Zero(g), rank, One(g)});
  Values dxs(static_cast<size_t>(alpha));
  dxs.push_back(g.Call("Sum", {g.Call("Mul", {g.dy(), slope}), axes}));
  return dxs;
}

}  // namespace

std::span<const OpRow> RandomGamma() {
  static const OpRow rows[] = {
      {.signature = "RandomGamma(shape: S, alpha: T) -> (output: T) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; S: type in [int32, int64]; T: type in [float16, float32, float64]",
       .doc = "Samples of this shape of the gamma distribution for each alpha, with scale 1 (rule R83).",
       .shape_fn = SamplesForEach,
       .cost = 256,
       .accuracy = Statistical(4),
       .gradient = RandomGammaGradient,
       .gradient_trial = {.untried = "each run draws other numbers"},
       .samples = {"seed=7 seed2=3: {5, 4} [n] in 0.1..9", "seed=3 seed2=1: {n} [3 2]", "seed=1: {7} 1",
                   "seed=2 seed2=5: {0, 3} [2]", "seed=4: {} [n] positive", "seed=5: {40} {0.5, 1, 3, 100}"}},
      {.signature = "StatelessRandomGammaV2(shape: T, seed: Tseed, alpha: dtype) -> (output: dtype)",
       .attrs = "dtype: type in [float16, float32, float64]; T: type in [int32, int64]; Tseed: type = int64 in [int32, "
                "int64]",
       .doc = "Samples of the gamma distribution for each alpha, with scale 1 (rule R83), by the generator that two "
              "seeds make (rule R85); the shape of alpha is the end of `shape`.",
       .shape_fn = SeededShapes,
       .cost = 256,
       .accuracy = Statistical(4),
       .gradient = StatelessGammaGradient,
       .samples = {"{5, 4, n} [2] [n] in 0.1..9", "{n, 3, 2} {7, -3} [3 2] in 0.5..2", "{7} {0, 0} 1",
                   "{0, 3, 2} [2] [2] in 0.1..9", "{n} [2] [n] in 0.5..30"}},
      {.signature =
           "StatelessRandomGammaV3(shape: shape_dtype, key: uint64, counter: uint64, alg: int32, alpha: dtype) "
           "-> (output: dtype)",
       .attrs = "dtype: type in [float16, float32, float64]; shape_dtype: type = int32 in [int32, int64]",
       .doc = "StatelessRandomGammaV2 by a generator with this key and counter.",
       .shape_fn = KeyedShapes,
       .cost = 256,
       .accuracy = Statistical(4),
       .gradient = StatelessGammaGradient,
       .samples = {"{5, 4, n} [1] [2] 1 [n] in 0.1..9", "{n, 3, 2} {1} {0, 0} 3 [3 2] in 0.5..2", "{7} [1] [3] 1 1",
                   "{0, 3, 2} [1] [2] 1 [2] in 0.1..9"}},
  };
  return rows;
}

}  // namespace plumb::topics
