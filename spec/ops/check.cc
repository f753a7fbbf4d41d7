#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> CheckOps() {
  static const OpRow rows[] = {
      {.signature = "Assert(condition: bool, data: list(T)) -> () stateful",
       .attrs = "T: list(type) >= 1; summarize: int = 3",
       .gradient = BlocksGradient()},
      {.signature = "CheckNumerics(tensor: T) -> (output: T) stateful",
       .attrs = "T: type in [floats]; message: string"},
  };
  return rows;
}

}  // namespace plumb
