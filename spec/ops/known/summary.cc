// Writers of summaries, and summaries of tensors.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Summary() {
  static constexpr Signature kSignatures[] = {
      {"CreateSummaryDbWriter(writer: resource, db_uri: string, experiment_name: string, run_name: string, user_name: "
       "string) -> () stateful",
       ""},
      {"DebugNumericSummary(input: T) -> (output: float64) allows_uninitialized_input",
       "T: type; device_name: string = ''; tensor_name: string = ''; debug_urls: list(string) = []; lower_bound: float "
       "= -inf; upper_bound: float = inf; mute_if_healthy: bool = false; gated_grpc: bool = false"},
      {"DebugNumericSummaryV2(input: T) -> (output: output_dtype)",
       "output_dtype: type = float32 in [float32, float64]; T: type; tensor_debug_mode: int = -1; tensor_id: int = -1"},
  };
  return kSignatures;
}

}  // namespace plumb::known
