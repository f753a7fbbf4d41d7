#include "spec/ops/data_flow/step_handle.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes CloseShapes(const ShapeContext& c) {
  RequireStepHandle(c, 0);
  return {};
}

}  // namespace

std::span<const OpRow> DataFlowStack() {
  static const OpRow rows[] = {
      {.signature = "Stack() -> (handle: ref string<Stack>) stateful",
       .attrs = "elem_type: type; stack_name: string = ''",
       .doc = "A stack of values of the type elem_type that lives for one step; without a bound (rule K1).",
       .gpu = "elem_type in [floats, complexes, int64]",
       .shape = "-> ?",
       .gradient = BlocksGradient(),
       .samples = {"stack_name='s': ; "
                   "p = StackPush T=$elem_type: this [a b]; "
                   "q = StackPop elem_type=$elem_type: this"}},
      {.signature = "StackPush(handle: ref string<Stack>, elem: T) -> (output: T) gives_back",
       .attrs = "T: type; swap_memory: bool = false",
       .doc = "Puts elem on the stack and gives it back.",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "? [d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"s = Stack elem_type=$T; s [a b]; p = StackPop elem_type=$T: s"}},
      {.signature = "StackPop(handle: ref string<Stack>) -> (elem: elem_type) gives_back",
       .attrs = "elem_type: type",
       .doc = "Takes the value on top of the stack; none is an error.",
       .gpu = "elem_type in [floats, complexes, int64]",
       .shape = "? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"s = Stack elem_type=$elem_type; p = StackPush T=$elem_type: s [a b]; s"}},
      {.signature = "StackClose(handle: ref string<Stack>) -> ()",
       .doc = "Frees the stack; using it afterwards is an error.",
       .gpu = "all",
       .shape = "[2] ->",
       .gradient = BlocksGradient(),
       .samples = {"s = Stack elem_type=float32; s"}},
      {.signature = "StackV2(max_size: int32) -> (handle: resource<Stack>) stateful",
       .attrs = "elem_type: type; stack_name: string = ''",
       .doc = "A stack of at most max_size values (negative: no bound) that lives for one step (rule K1).",
       .gpu = "elem_type in [floats, complexes, int64]",
       .shape = "? -> []",
       .samples = {"stack_name='s': 2; "
                   "p = StackPushV2 T=$elem_type: this [a b]; "
                   "q = StackPopV2 elem_type=$elem_type: this"}},
      {.signature = "StackPushV2(handle: resource<Stack>, elem: T) -> (output: T) stateful gives_back",
       .attrs = "T: type; swap_memory: bool = false",
       .doc = "Puts elem on the stack and gives it back; a full stack is an error.",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "? [d...] -> [d...]",
       .samples = {"s = StackV2 elem_type=$T: 2; s [a b]; p = StackPopV2 elem_type=$T: s"}},
      {.signature = "StackPopV2(handle: resource<Stack>) -> (elem: elem_type) stateful gives_back",
       .attrs = "elem_type: type",
       .doc = "Takes the value on top of the stack; none is an error.",
       .gpu = "elem_type in [floats, complexes, int64]",
       .shape = "? -> ?",
       .samples = {"s = StackV2 elem_type=$elem_type: -1; "
                   "p = StackPushV2 T=$elem_type: s [a b]; "
                   "q = StackPushV2 T=$elem_type: s [c]; "
                   "s"}},
      {.signature = "StackCloseV2(handle: resource<Stack>) -> () stateful",
       .doc = "Frees the stack; using it afterwards is an error.",
       .gpu = "all",
       .shape_fn = CloseShapes,
       .samples = {"s = StackV2 elem_type=float32: -1; s"}},
  };
  return rows;
}

}  // namespace plumb::topics
