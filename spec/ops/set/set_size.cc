#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> SetSetSize() {
  static const OpRow rows[] = {
      {.signature = "SetSize(set_indices: int64, set_values: T, set_shape: int64) -> (size: int32)",
       .attrs = "validate_indices: bool = true; T: type in [int8, int16, int32, int64, uint8, uint16, string]",
       .doc = "How many different values each row of a sparse tensor has. validate_indices: whether coordinates that "
              "are out of order or out of the shape are refused.",
       .shape = "? ? ? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"[9 2] sorted in 0..5 [9] in 0..6 {5, 7}", "[8 3] sorted in 0..4 [8] in 0..3 {4, 4, 4}",
                   "validate_indices=false: {{0, 1}, {2, 0}, {1, 0}, {1, 0}} [4] {3, 2}"}},
  };
  return rows;
}

}  // namespace plumb::topics
