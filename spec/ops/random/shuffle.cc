#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> RandomShuffle() {
  static const OpRow rows[] = {
      {.signature = "RandomShuffle(value: T) -> (output: T) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; T: type",
       .doc = "The rows of value in random order (rule R78).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .shape = "[d...] -> [d...]",
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"seed=7 seed2=3: [n b]", "seed=1: [9]"}},
  };
  return rows;
}

}  // namespace plumb::topics
