#include "spec/ops/families.h"
#include "spec/ops/gradients.h"

namespace plumb {

std::span<const OpRow> CheckOps() {
  static const OpRow rows[] = {
      {.signature = "Assert(condition: bool, data: list(T)) -> () stateful",
       .attrs = "T: list(type) >= 1; summarize: int = 3",
       .doc = "Fails with INVALID_ARGUMENT, showing `summarize` elements of each of data, unless the "
              "condition holds.",
       .shape = "? ? ->",
       .gradient = BlocksGradient(),
       .sample = "T=[float32, int32]: true ([] [2])"},
      {.signature = "CheckNumerics(tensor: T) -> (output: T) stateful",
       .attrs = "T: type in [floats]; message: string",
       .doc = "Gives its input; fails with INVALID_ARGUMENT and `message` if an element is infinite or NaN.",
       .shape = "[d...] -> [d...]",
       .gradient = CheckNumericsGradient,
       .sample = "message='checked': [d...] finite"},
  };
  return rows;
}

}  // namespace plumb
