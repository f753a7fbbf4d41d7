#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

// X36: strict in all inputs.
void RefSelect(OpContext& c) {
  const Tensor& index = c.tensor(0);
  Require(index.rank() == 0, "the index of RefSelect is a scalar, not of shape ", index.shape().ToString());
  const int chosen = index.scalar<int32_t>();
  Require(chosen >= 0 && chosen < c.num_inputs() - 1, "the index of RefSelect is ", chosen, ", not in [0, ",
          c.num_inputs() - 1, ")");
  c.outputs[0] = c.inputs[1 + chosen];
}

constexpr KernelRow kRows[] = {
    {"RefSelect", RefSelect},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ControlFlowRefSelect() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
