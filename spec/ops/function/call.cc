#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

constexpr char kAttrs[] =
    "Tin: list(type) >= 0; Tout: list(type) >= 0; f: func; config: string = ''; config_proto: string = ''; "
    "executor_type: string = ''";

// The body tells it (spec/graph/function_shapes.h).
std::vector<PartialShape> OfBody(const ShapeContext& c) {
  return std::vector<PartialShape>(static_cast<size_t>(c.num_outputs()));
}

}  // namespace

std::span<const OpRow> FunctionCall() {
  static const OpRow rows[] = {
      {.signature = "PartitionedCall(args: list(Tin)) -> (output: list(Tout)) differentiates_body",
       .attrs = kAttrs,
       .doc = "Calls the function f: its body runs once all inputs are there (rule FN5).",
       .kind = OpKind::kCall,
       .shape_fn = OfBody,
       .samples = {"-: it needs a function"}},
      {.signature = "StatefulPartitionedCall(args: list(Tin)) -> (output: list(Tout)) stateful differentiates_body",
       .attrs = kAttrs,
       .doc = "PartitionedCall of a function with effects.",
       .kind = OpKind::kCall,
       .shape_fn = OfBody,
       .samples = {"-: it needs a function"}},
      {.signature = "RemoteCall(target: string, args: list(Tin)) -> (output: list(Tout)) stateful names_target",
       .attrs = "Tin: list(type) >= 1; Tout: list(type) >= 1; f: func",
       .doc = "Calls the function f for a device of the session, which target names (rule FN5).",
       .kind = OpKind::kCall,
       .shape_fn = OfBody,
       .samples = {"-: it needs a function"}},
      {.signature = "BatchFunction(in_tensors: list(Tin), captured_tensors: list(Tcaptured)) -> (out_tensors: "
                    "list(Tout)) batches",
       .attrs = "f: func; num_batch_threads: int; max_batch_size: int; batch_timeout_micros: int; "
                "max_enqueued_batches: int = 10; allowed_batch_sizes: list(int) = []; container: string = ''; "
                "shared_name: string = ''; batching_queue: string = ''; Tin: list(type) >= 1; Tcaptured: list(type) "
                ">= 0; Tout: list(type) >= 1; enable_large_batch_splitting: bool = false",
       .doc = "Calls the function f on a batch of rows, padded to one of the allowed sizes (rule FN11).",
       .kind = OpKind::kCall,
       .shape_fn = OfBody,
       .samples = {"-: it needs a function"}},
      {.signature = "_Arg() -> (output: T) stateful",
       .attrs = "T: type; index: int >= 0",
       .doc = "An argument inside the body of a function; a call feeds it.",
       .kind = OpKind::kPlaceholder,
       .shape_fn = OfBody,
       .samples = {"-: the executor itself"}},
      {.signature = "_DeviceArg() -> (output: T) stateful",
       .attrs = "T: type; index: int >= 0",
       .doc = "_Arg of a value in the memory of a device.",
       .kind = OpKind::kPlaceholder,
       .shape_fn = OfBody,
       .samples = {"-: the executor itself"}},
      {.signature = "_Retval(input: T) -> () stateful",
       .attrs = "T: type; index: int >= 0",
       .doc = "A result inside the body of a function, which a call takes; INVALID_ARGUMENT elsewhere.",
       .samples = {"-: the executor itself"}},
      {.signature = "_DeviceRetval(input: T) -> () stateful",
       .attrs = "T: type; index: int >= 0",
       .doc = "_Retval of a value in the memory of a device.",
       .samples = {"-: the executor itself"}},
  };
  return rows;
}

}  // namespace plumb::topics
