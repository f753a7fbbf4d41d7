// LoopCond. The other ops of loops are rules of the step (reference/step/frames.h).
#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

// X21: an identity that also ends the loops of a cancelled step.
void LoopCond(OpContext& c) {
  if (c.cancelled) throw Cancelled("Loop execution was cancelled");
  c.Output(0, c.input(0));
}

constexpr KernelRow kRows[] = {
    {"LoopCond", LoopCond},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ControlFlowLoop() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
