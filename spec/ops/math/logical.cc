#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

std::span<const OpRow> MathLogical() {
  static const OpRow rows[] = {
      {.signature = "LogicalAnd(x: bool, y: bool) -> (z: bool) commutative",
       .doc = "x and y, broadcast.",
       .gpu = "all",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = BroadcastingSamples()},
      {.signature = "LogicalOr(x: bool, y: bool) -> (z: bool) commutative",
       .doc = "x or y, broadcast.",
       .gpu = "all",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = BroadcastingSamples()},
      {.signature = "LogicalNot(x: bool) -> (y: bool)",
       .doc = "not x.",
       .gpu = "all",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient()},
  };
  return rows;
}

}  // namespace plumb::topics
