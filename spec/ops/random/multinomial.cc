#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes RowsOfSamples(const ShapeContext& c) {
  const int64_t rows = WithRank(c, 0, 2).dim(0);
  if (c.num_inputs() == 3) MergeDims(c, WithRank(c, 2, 1).dim(0), 2);
  return {PartialShape{rows, ConstantSize(c, 1)}};
}

}  // namespace

std::span<const OpRow> RandomMultinomial() {
  static const OpRow rows[] = {
      {.signature = "Multinomial(logits: T, num_samples: int32) -> (output: output_dtype) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; T: type in [floats, int32, uint8, int16, int8, int64, uint16, uint32, "
                "uint64]; output_dtype: type = int64 in [int32, int64]",
       .doc =
           "num_samples classes for each row of logits, drawn with probabilities that are proportional to exp(logit) "
           "(rule R79).",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = RowsOfSamples,
       .cost = 16,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"seed=7 seed2=3: [3 N] 5", "seed=3 seed2=1: [b 4] 9", "seed=1: [2 1] 0", "seed=1 seed2=4: [1 7] 6",
                   "seed=2 seed2=5: [0 3] 2"}},
      {.signature = "StatelessMultinomial(logits: T, num_samples: int32, seed: Tseed) -> (output: output_dtype)",
       .attrs = "T: type in [floats, int32, uint8, int16, int8, int64, uint16, uint32, uint64]; Tseed: type = int64 in "
                "[int32, int64]; output_dtype: type = int64 in [int32, int64]",
       .doc = "As Multinomial, by a generator that two seeds start.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = RowsOfSamples,
       .cost = 16,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"[3 N] 5 [2]", "[b 4] 9 {1, -2}", "[2 1] 0 [2]", "[0 3] 2 {0, 0}"}},
  };
  return rows;
}

}  // namespace plumb::topics
