// Where values come from, and ops that hand on what they get.
#include "reference/op_context.h"

namespace plumb::reference {
namespace {

void Const(OpContext& c) {
  const Tensor& value = c.attr<Tensor>("value");
  Require(value.dtype() == c.output_type(0), "the value is ", DTypeName(value.dtype()), ", but dtype says ",
          DTypeName(c.output_type(0)));
  c.Output(0, value);
}

// F11: only a feed gives a placeholder its value.
void Placeholder(OpContext& c) {
  throw InvalidArgument("You must feed a value for placeholder '", c.node.name, "' with dtype ",
                        DTypeName(c.output_type(0)));
}

void Identity(OpContext& c) { c.Output(0, c.input(0)); }

void Nothing(OpContext&) {}

// X21: an identity that also ends the loops of a cancelled step.
void LoopCond(OpContext& c) {
  if (c.cancelled) throw Cancelled("Loop execution was cancelled");
  c.Output(0, c.input(0));
}

// X36: strict in all inputs.
void RefSelect(OpContext& c) {
  const Tensor& index = c.tensor(0);
  Require(index.rank() == 0, "the index of RefSelect is a scalar, not of shape ", index.shape().ToString());
  const int chosen = index.scalar<int32_t>();
  Require(chosen >= 0 && chosen < c.num_inputs() - 1, "the index of RefSelect is ", chosen, ", not in [0, ",
          c.num_inputs() - 1, ")");
  c.outputs[0] = c.inputs[1 + chosen];
}

}  // namespace

std::span<const KernelRow> PlumbingKernels() {
  static constexpr KernelRow rows[] = {
      {"Const", Const},         {"Placeholder", Placeholder}, {"PlaceholderWithDefault", Identity},
      {"Identity", Identity},   {"StopGradient", Identity},   {"PreventGradient", Identity},
      {"NoOp", Nothing},        {"ControlTrigger", Nothing},  {"LoopCond", LoopCond},
      {"RefSelect", RefSelect},
  };
  return rows;
}

}  // namespace plumb::reference
