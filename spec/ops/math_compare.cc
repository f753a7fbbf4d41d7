#include "spec/ops/families.h"
#include "spec/ops/gradients.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

namespace {

constexpr const char* kBroadcast = "[d...] [d...] | [a b] [b] | [a 1] [1 b] | [] [d...]";

}  // namespace

std::span<const OpRow> ComparisonOps() {
  static const OpRow rows[] = {
      {.signature = "Equal(x: T, y: T) -> (z: bool) commutative",
       .attrs = "T: type; incompatible_shape_error: bool = true",
       .doc = "x = y, broadcast. Shapes that do not broadcast give a single false if incompatible_shape_error "
              "is off.",
       .shape_fn = shape_rules::Equality,
       .gradient = BlocksGradient(),
       .sample = "[d...] in 0..3 [d...] in 0..3 | [a b] [b] | [a 1] in 0..3 [1 b] in 0..3 | "
                 "incompatible_shape_error=false: [2] [3]"},
      {.signature = "NotEqual(x: T, y: T) -> (z: bool) commutative",
       .attrs = "T: type; incompatible_shape_error: bool = true",
       .doc = "x ≠ y, broadcast. Shapes that do not broadcast give a single true if incompatible_shape_error "
              "is off.",
       .shape_fn = shape_rules::Equality,
       .gradient = BlocksGradient(),
       .sample = "[d...] in 0..3 [d...] in 0..3 | [a b] [b] | [a 1] in 0..3 [1 b] in 0..3 | "
                 "incompatible_shape_error=false: [2] [3]"},
      {.signature = "Less(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x < y, broadcast; false where either is NaN.",
       .shape_fn = shape_rules::Broadcasting,
       .gradient = BlocksGradient(),
       .sample = "[d...] in 0..3 [d...] in 0..3 | [a b] [b] | [a 1] [1 b] | [] [d...]"},
      {.signature = "LessEqual(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x ≤ y, broadcast; false where either is NaN.",
       .shape_fn = shape_rules::Broadcasting,
       .gradient = BlocksGradient(),
       .sample = "[d...] in 0..3 [d...] in 0..3 | [a b] [b] | [a 1] [1 b] | [] [d...]"},
      {.signature = "Greater(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x > y, broadcast; false where either is NaN.",
       .shape_fn = shape_rules::Broadcasting,
       .gradient = BlocksGradient(),
       .sample = "[d...] in 0..3 [d...] in 0..3 | [a b] [b] | [a 1] [1 b] | [] [d...]"},
      {.signature = "GreaterEqual(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x ≥ y, broadcast; false where either is NaN.",
       .shape_fn = shape_rules::Broadcasting,
       .gradient = BlocksGradient(),
       .sample = "[d...] in 0..3 [d...] in 0..3 | [a b] [b] | [a 1] [1 b] | [] [d...]"},
      {.signature = "IsFinite(x: T) -> (y: bool)",
       .attrs = "T: type in [floats]",
       .doc = "Whether x is neither infinite nor NaN.",
       .shape = "[d...] -> [d...]"},
      {.signature = "LogicalAnd(x: bool, y: bool) -> (z: bool) commutative",
       .doc = "x and y, broadcast.",
       .shape_fn = shape_rules::Broadcasting,
       .gradient = BlocksGradient(),
       .sample = kBroadcast},
      {.signature = "LogicalOr(x: bool, y: bool) -> (z: bool) commutative",
       .doc = "x or y, broadcast.",
       .shape_fn = shape_rules::Broadcasting,
       .gradient = BlocksGradient(),
       .sample = kBroadcast},
      {.signature = "LogicalNot(x: bool) -> (y: bool)",
       .doc = "not x.",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient()},
      {.signature = "Select(condition: bool, t: T, e: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "t where the condition holds, e elsewhere. t and e have one shape; the condition has it too, or "
              "is a scalar, or is a vector that chooses whole rows.",
       .shape_fn = shape_rules::Select,
       .gradient = SelectGradient,
       .sample = "[d...] [d...] [d...] | [a] [a b] [a b] | [] [d...] [d...]"},
  };
  return rows;
}

}  // namespace plumb
