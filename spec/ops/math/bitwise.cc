#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Within the width of every type, and on either side of it.
std::vector<const char*> ShiftSamples() {
  return {"[d...] [d...] in 0..8", "[a b] [b]", "[a 1] [1 b] in 0..64", "[a] []",
          "T in [int8, int16, int32, int64]: [d...] [d...] in -3..70"};
}

}  // namespace

std::span<const OpRow> MathBitwise() {
  static const OpRow rows[] = {
      {.signature = "BitwiseAnd(x: T, y: T) -> (z: T) commutative",
       .attrs = "T: type in [ints]",
       .doc = "The bits that are set in both, broadcast.",
       .gpu = "all",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = BroadcastingSamples()},
      {.signature = "BitwiseOr(x: T, y: T) -> (z: T) commutative",
       .attrs = "T: type in [ints]",
       .doc = "The bits that are set in either, broadcast.",
       .gpu = "all",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = BroadcastingSamples()},
      {.signature = "BitwiseXor(x: T, y: T) -> (z: T) commutative",
       .attrs = "T: type in [ints]",
       .doc = "The bits that are set in just one of them, broadcast.",
       .gpu = "all",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = BroadcastingSamples()},
      {.signature = "LeftShift(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [ints]",
       .doc = "x shifted left by y bits, broadcast. A y below 0 counts as 0, one beyond the width as the width less 1.",
       .gpu = "all",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = ShiftSamples()},
      {.signature = "RightShift(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [ints]",
       .doc = "x shifted right by y bits, keeping its sign, broadcast. A y below 0 counts as 0, one beyond the width "
              "as the width less 1.",
       .gpu = "all",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = ShiftSamples()},
      {.signature = "Invert(x: T) -> (y: T)",
       .attrs = "T: type in [ints]",
       .doc = "Every bit flipped.",
       .gpu = "all",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient()},
      {.signature = "PopulationCount(x: T) -> (y: uint8)",
       .attrs = "T: type in [ints]",
       .doc = "How many bits are set.",
       .gpu = "all",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient()},
  };
  return rows;
}

}  // namespace plumb::topics
