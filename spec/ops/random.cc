#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> RandomOps() {
  static const OpRow rows[] = {
      {.signature = "RandomUniform(shape: T) -> (output: dtype) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "RandomUniformInt(shape: T, minval: Tout, maxval: Tout) -> (output: Tout) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; Tout: type in [int32, int64]; T: type in [int32, int64]"},
      {.signature = "RandomStandardNormal(shape: T) -> (output: dtype) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "TruncatedNormal(shape: T) -> (output: dtype) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "RandomShuffle(value: T) -> (output: T) stateful",
       .attrs = "seed: int = 0; seed2: int = 0; T: type",
       .gradient = BlocksGradient()},
  };
  return rows;
}

}  // namespace plumb
