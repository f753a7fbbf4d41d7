#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> LoggingTimestamp() {
  static const OpRow rows[] = {
      {.signature = "Timestamp() -> (ts: float64) stateful",
       .doc = "Seconds since the epoch.",
       .shape = "-> []",
       .gradient = BlocksGradient(),
       .samples = {"-: time passes from one backend to the next"}},
  };
  return rows;
}

}  // namespace plumb::topics
