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
      {.signature = "PartitionedCall(args: list(Tin)) -> (output: list(Tout))",
       .attrs = kAttrs,
       .doc = "Calls the function f: its body runs once all inputs are there (rule FN5).",
       .kind = OpKind::kCall,
       .shape_fn = OfBody,
       .samples = {"-: it needs a function"}},
      {.signature = "StatefulPartitionedCall(args: list(Tin)) -> (output: list(Tout)) stateful",
       .attrs = kAttrs,
       .doc = "PartitionedCall of a function with effects.",
       .kind = OpKind::kCall,
       .shape_fn = OfBody,
       .samples = {"-: it needs a function"}},
      {.signature = "RemoteCall(target: string, args: list(Tin)) -> (output: list(Tout)) stateful",
       .attrs = "Tin: list(type) >= 1; Tout: list(type) >= 1; f: func",
       .doc = "Calls the function f for a device of the session, which target names (rule FN5).",
       .kind = OpKind::kCall,
       .shape_fn = OfBody,
       .samples = {"-: it needs a function"}},
      {.signature = "_Arg() -> (output: T) stateful",
       .attrs = "T: type; index: int >= 0",
       .doc = "An argument inside the body of a function; a call feeds it.",
       .kind = OpKind::kPlaceholder,
       .shape_fn = OfBody,
       .samples = {"-: the executor itself"}},
  };
  return rows;
}

}  // namespace plumb::topics
