// Writers of summaries, and summaries of tensors.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Summary() {
  static constexpr Signature kSignatures[] = {
      {"AudioSummary(tag: string, tensor: float32) -> (summary: string)",
       "sample_rate: float; max_outputs: int >= 1 = 3",
       {15, "Use AudioSummaryV2."}},
      {"CloseSummaryWriter(writer: resource) -> () stateful", ""},
      {"CreateSummaryDbWriter(writer: resource, db_uri: string, experiment_name: string, run_name: string, user_name: "
       "string) -> () stateful",
       ""},
      {"DebugNumericSummary(input: T) -> (output: float64) allows_uninitialized_input",
       "T: type; device_name: string = ''; tensor_name: string = ''; debug_urls: list(string) = []; lower_bound: float "
       "= -inf; upper_bound: float = inf; mute_if_healthy: bool = false; gated_grpc: bool = false"},
      {"DebugNumericSummaryV2(input: T) -> (output: output_dtype)",
       "output_dtype: type = float32 in [float32, float64]; T: type; tensor_debug_mode: int = -1; tensor_id: int = -1"},
      {"ImportEvent(writer: resource, event: string) -> () stateful", ""},
      {"TensorSummary(tensor: T) -> (summary: string)",
       "T: type; description: string = ''; labels: list(string) = []; display_name: string = ''"},
      {"WriteAudioSummary(writer: resource, step: int64, tag: string, tensor: float32, sample_rate: float32) -> () "
       "stateful",
       "max_outputs: int >= 1 = 3"},
      {"WriteGraphSummary(writer: resource, step: int64, tensor: string) -> () stateful", ""},
      {"WriteHistogramSummary(writer: resource, step: int64, tag: string, values: T) -> () stateful",
       "T: type = float32 in [floats, ints, bool]"},
      {"WriteImageSummary(writer: resource, step: int64, tag: string, tensor: T, bad_color: uint8) -> () stateful",
       "max_images: int >= 1 = 3; T: type = float32 in [uint8, float64, float32, float16]"},
      {"WriteRawProtoSummary(writer: resource, step: int64, tensor: string) -> () stateful", ""},
      {"WriteScalarSummary(writer: resource, step: int64, tag: string, value: T) -> () stateful",
       "T: type in [floats, ints]"},
  };
  return kSignatures;
}

}  // namespace plumb::known
