#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> FunctionToBool() {
  static const OpRow rows[] = {
      {.signature = "ToBool(input: T) -> (output: bool)",
       .attrs = "T: type",
       .doc =
           "What a conditional makes of its condition (rule FN7): of a scalar, whether it is not zero, not empty, or "
           "true; of anything else, whether it has elements.",
       .shape = "? -> []",
       .samples = {"[d...]", "[n 2]", "T in [float32, float64, int32, int64, int16, int8, uint8]: [] in 0..2",
                   "T in [string]: ''"}},
  };
  return rows;
}

}  // namespace plumb::topics
