// What debuggers and Python put into a graph.
#include "spec/ops/known/lists.h"

namespace plumb::known {

constexpr char kInsteadOfPython[] =
    "its function is in the Python process that built the graph, and not in the graph: feed the node's outputs, or "
    "build the graph with ops in its place";

std::span<const Signature> Debug() {
  static constexpr Signature kSignatures[] = {
      {"Copy(input: T) -> (output: T) allows_uninitialized_input",
       "T: type; tensor_name: string = ''; debug_ops_spec: list(string) = []"},
      {"CopyHost(input: T) -> (output: T) allows_uninitialized_input",
       "T: type; tensor_name: string = ''; debug_ops_spec: list(string) = []"},
      {"CopyToMesh(input: T) -> (output: T)", "layout: string; T: type"},
      {"CopyToMeshGrad(input: T, forward_input: T) -> (output: T)", "reference_layout: string = ''; T: type"},
      {"DebugGradientIdentity(input: T) -> (output: T) allows_uninitialized_input", "T: type"},
      {"DebugGradientRefIdentity(input: ref T) -> (output: ref T) allows_uninitialized_input", "T: type"},
      {"DebugIdentity(input: T) -> (output: T) allows_uninitialized_input",
       "T: type; device_name: string = ''; tensor_name: string = ''; debug_urls: list(string) = []; gated_grpc: bool = "
       "false"},
      {"DebugIdentityV2(input: T) -> (output: T) stateful",
       "T: type; tfdbg_context_id: string = ''; op_name: string = ''; output_slot: int = -1; tensor_debug_mode: int = "
       "-1; debug_urls: list(string) = []; circular_buffer_size: int = 1000; tfdbg_run_id: string = ''"},
      {"DebugNanCount(input: T) -> (output: int64) allows_uninitialized_input",
       "T: type; device_name: string = ''; tensor_name: string = ''; debug_urls: list(string) = []; gated_grpc: bool = "
       "false"},
      {"EagerPyFunc(input: list(Tin)) -> (output: list(Tout)) stateful",
       "token: string; is_async: bool = false; Tin: list(type) >= 0; Tout: list(type) >= 0",
       {},
       kInsteadOfPython},
      {"PyFunc(input: list(Tin)) -> (output: list(Tout)) stateful",
       "token: string; Tin: list(type) >= 0; Tout: list(type) >= 0",
       {},
       kInsteadOfPython},
      {"PyFuncStateless(input: list(Tin)) -> (output: list(Tout))",
       "token: string; Tin: list(type) >= 0; Tout: list(type) >= 0",
       {},
       kInsteadOfPython},
  };
  return kSignatures;
}

}  // namespace plumb::known
