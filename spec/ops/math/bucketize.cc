#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> MathBucketize() {
  static const OpRow rows[] = {
      {.signature = "Bucketize(input: T) -> (output: int32)",
       .attrs = "T: type in [int32, int64, float32, float64]; boundaries: list(float)",
       .doc = "How many of the boundaries, which must ascend, are not above each number; all of them for NaN.",
       .gpu = "T in [int32, int64, float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 4,
       .samples = {"boundaries=[0]: [d...]", "boundaries=[-2.5, -1, 0, 0, 1, 3.25, 8]: [d...]", "boundaries=[]: [a]",
                   "boundaries=[1, 2, 3]: [d...] in 0..5"}},
  };
  return rows;
}

}  // namespace plumb::topics
