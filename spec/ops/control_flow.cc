#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ControlFlowOps() {
  static const OpRow rows[] = {
      {.signature = "NoOp() -> ()"},
      {.signature = "ControlTrigger() -> ()"},
      {.signature = "Switch(data: T, pred: bool) -> (output_false: T, output_true: T)", .attrs = "T: type"},
      {.signature = "RefSwitch(data: ref T, pred: bool) -> (output_false: ref T, output_true: ref T) "
                    "allows_uninitialized_input",
       .attrs = "T: type"},
      {.signature = "Merge(inputs: T*N) -> (output: T, value_index: int32)", .attrs = "T: type; N: int >= 1"},
      {.signature = "RefMerge(inputs: ref T*N) -> (output: ref T, value_index: int32)",
       .attrs = "T: type; N: int >= 1"},
      {.signature = "RefSelect(index: int32, inputs: ref T*N) -> (output: ref T)", .attrs = "T: type; N: int >= 1"},
      {.signature = "Enter(data: T) -> (output: T)",
       .attrs = "T: type; frame_name: string; is_constant: bool = false; parallel_iterations: int = 10"},
      {.signature = "RefEnter(data: ref T) -> (output: ref T)",
       .attrs = "T: type; frame_name: string; is_constant: bool = false; parallel_iterations: int = 10"},
      {.signature = "Exit(data: T) -> (output: T)", .attrs = "T: type"},
      {.signature = "RefExit(data: ref T) -> (output: ref T)", .attrs = "T: type"},
      {.signature = "NextIteration(data: T) -> (output: T)", .attrs = "T: type"},
      {.signature = "RefNextIteration(data: ref T) -> (output: ref T)", .attrs = "T: type"},
      {.signature = "LoopCond(input: bool) -> (output: bool)"},
  };
  return rows;
}

}  // namespace plumb
