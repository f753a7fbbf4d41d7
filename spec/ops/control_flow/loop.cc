#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ControlFlowLoop() {
  static const OpRow rows[] = {
      {.signature = "Enter(data: T) -> (output: T)",
       .attrs = "T: type; frame_name: string; is_constant: bool = false; parallel_iterations: int = 10",
       .doc = "Gives its input to the frame frame_name: to its first iteration, or to every one if "
              "is_constant (rules X13–X16).",
       .kind = OpKind::kEnter,
       .shape = "[d...] -> [d...]",
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "RefEnter(data: ref T) -> (output: ref T)",
       .attrs = "T: type; frame_name: string; is_constant: bool = false; parallel_iterations: int = 10",
       .doc = "Enter of a reference.",
       .kind = OpKind::kEnter,
       .shape = "[d...] -> [d...]",
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "Exit(data: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "Gives its input to the frame outside (rules X19, X20).",
       .kind = OpKind::kExit,
       .shape = "[d...] -> [d...]",
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "RefExit(data: ref T) -> (output: ref T)",
       .attrs = "T: type",
       .doc = "Exit of a reference.",
       .kind = OpKind::kExit,
       .shape = "[d...] -> [d...]",
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "NextIteration(data: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "Gives its input to the next iteration of its frame (rules X17, X18).",
       .kind = OpKind::kNextIteration,
       .shape = "[d...] -> [d...]",
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "RefNextIteration(data: ref T) -> (output: ref T)",
       .attrs = "T: type",
       .doc = "NextIteration of a reference.",
       .kind = OpKind::kNextIteration,
       .shape = "[d...] -> [d...]",
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "LoopCond(input: bool) -> (output: bool)",
       .doc = "Gives its input, the predicate of a loop (rule X21).",
       .kind = OpKind::kLoopCond,
       .shape = "[] -> []",
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
  };
  return rows;
}

}  // namespace plumb::topics
