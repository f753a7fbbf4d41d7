#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SamplesForEach(const ShapeContext& c) { return {Join(ConstantShape(c, 0), c.input(1))}; }

Shapes SeededShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 1, 1).dim(0), 2);
  return {ConstantShape(c, 0)};
}

}  // namespace

std::span<const OpRow> RandomPoisson() {
  static const OpRow rows[] = {
      {.signature = "RandomPoissonV2(shape: S, rate: R) -> (output: dtype) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; S: type in [int32, int64]; R: type = float64 in [float16, float32, "
                "float64, int32, int64]; dtype: type = int64 in [float16, float32, float64, int32, int64]",
       .doc = "Samples of this shape of the Poisson distribution for each rate, drawn in double precision.",
       .shape_fn = SamplesForEach,
       .cost = 256,
       .accuracy = Statistical(),
       .samples = {"seed=7 seed2=3: {5, 4} [n] in 0..9", "seed=3 seed2=1: {n} [3 2] in 10..100", "seed=1: {7} 1",
                   "seed=2 seed2=5: {0, 3} [2] in 0..3", "seed=4: {} [n] in 0..30"}},
      {.signature = "RandomPoisson(shape: S, rate: dtype) -> (output: dtype) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; S: type in [int32, int64]; dtype: type in [float16, float32, float64]",
       .doc = "RandomPoissonV2 with samples of the type of the rates.",
       .shape_fn = SamplesForEach,
       .cost = 256,
       .accuracy = Statistical(),
       .samples = {"seed=7 seed2=3: {5, 4} [n] in 0..9", "seed=3 seed2=1: {n} [3 2] in 10..100", "seed=1: {7} 1",
                   "seed=2 seed2=5: {0, 3} [2] in 0..3", "seed=4: {} [n] in 0..30"},
       .deprecated = {25, "Replaced by RandomPoissonV2"}},
      {.signature = "StatelessRandomPoisson(shape: T, seed: Tseed, lam: Rtype) -> (output: dtype)",
       .attrs = "Rtype: type in [float16, float32, float64, int32, int64]; dtype: type in [float16, float32, float64, "
                "int32, int64]; T: type in [int32, int64]; Tseed: type = int64 in [int32, int64]",
       .doc = "Samples of the Poisson distribution for each rate, drawn in double precision, by the generator that two "
              "seeds make (rule R85); the shape of the rates is the end of `shape`.",
       .shape_fn = SeededShapes,
       .cost = 256,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"{5, 4, n} [2] [n] in 0..9", "{n, 3, 2} {7, -3} [3 2] in 10..100", "{7} {0, 0} 1",
                   "{0, 3, 2} [2] [2] in 0..3", "{n} [2] [n] in 0..30"}},
  };
  return rows;
}

}  // namespace plumb::topics
