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

}  // namespace

std::span<const OpRow> RandomGamma() {
  static const OpRow rows[] = {
      {.signature = "RandomGamma(shape: S, alpha: T) -> (output: T) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; S: type in [int32, int64]; T: type in [float16, float32, float64]",
       .doc = "Samples of this shape of the gamma distribution for each alpha, with scale 1 (rule R83).",
       .shape_fn = SamplesForEach,
       .cost = 256,
       .accuracy = Statistical(4),
       .gradient = RandomGammaGradient,
       .gradient_trial = {.untried = "each run draws other numbers"},
       .samples = {"seed=7 seed2=3: {5, 4} [n] in 0.1..9", "seed=3 seed2=1: {n} [3 2]", "seed=1: {7} 1",
                   "seed=2 seed2=5: {0, 3} [2]", "seed=4: {} [n] positive", "seed=5: {40} {0.5, 1, 3, 100}"}},
  };
  return rows;
}

}  // namespace plumb::topics
