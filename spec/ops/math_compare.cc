#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ComparisonOps() {
  static const OpRow rows[] = {
      {.signature = "Equal(x: T, y: T) -> (z: bool) commutative",
       .attrs = "T: type; incompatible_shape_error: bool = true",
       .gradient = BlocksGradient()},
      {.signature = "NotEqual(x: T, y: T) -> (z: bool) commutative",
       .attrs = "T: type; incompatible_shape_error: bool = true",
       .gradient = BlocksGradient()},
      {.signature = "Less(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .gradient = BlocksGradient()},
      {.signature = "LessEqual(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .gradient = BlocksGradient()},
      {.signature = "Greater(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .gradient = BlocksGradient()},
      {.signature = "GreaterEqual(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .gradient = BlocksGradient()},
      {.signature = "IsFinite(x: T) -> (y: bool)", .attrs = "T: type in [floats]"},
      {.signature = "LogicalAnd(x: bool, y: bool) -> (z: bool) commutative", .gradient = BlocksGradient()},
      {.signature = "LogicalOr(x: bool, y: bool) -> (z: bool) commutative", .gradient = BlocksGradient()},
      {.signature = "LogicalNot(x: bool) -> (y: bool)", .gradient = BlocksGradient()},
      {.signature = "Select(condition: bool, t: T, e: T) -> (output: T)", .attrs = "T: type"},
  };
  return rows;
}

}  // namespace plumb
