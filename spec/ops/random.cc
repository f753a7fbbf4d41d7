#include "spec/ops/families.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> RandomOps() {
  static const OpRow rows[] = {
      {.signature = "RandomUniform(shape: T) -> (output: dtype) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .doc = "Numbers drawn evenly from [0, 1) (rule R72).",
       .shape_fn = shape_rules::RandomOfShape,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .sample = "seed=7 seed2=3: {5, 4} | seed=1: {} | seed=2 seed2=5: {0, 3}"},
      {.signature = "RandomUniformInt(shape: T, minval: Tout, maxval: Tout) -> (output: Tout) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; Tout: type in [int32, int64]; T: type in [int32, int64]",
       .doc = "Integers drawn evenly from [minval, maxval), which must not be empty (rule R72).",
       .shape_fn = shape_rules::RandomOfShape,
       .accuracy = Statistical(),
       .sample = "seed=7 seed2=3: {20} -5 17 | seed=1: {} 0 1"},
      {.signature = "RandomStandardNormal(shape: T) -> (output: dtype) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .doc = "Normally distributed numbers of mean 0 and deviation 1 (rule R73).",
       .shape_fn = shape_rules::RandomOfShape,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       .sample = "seed=7 seed2=3: {5, 4} | seed=1: {} | seed=2 seed2=5: {0, 3}"},
      {.signature = "TruncatedNormal(shape: T) -> (output: dtype) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .doc = "Normally distributed numbers of mean 0 and deviation 1; those beyond 2 are drawn again (rule "
              "R74).",
       .shape_fn = shape_rules::RandomOfShape,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       .sample = "seed=7 seed2=3: {5, 4} | seed=1: {} | seed=2 seed2=5: {0, 3}"},
      {.signature = "RandomShuffle(value: T) -> (output: T) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; T: type",
       .doc = "The rows of value in random order (rule R78).",
       .shape = "[d...] -> [d...]",
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .sample = "seed=7 seed2=3: [n b] | seed=1: [9]"},
  };
  return rows;
}

}  // namespace plumb
