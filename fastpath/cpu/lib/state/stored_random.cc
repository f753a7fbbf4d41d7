#include "fastpath/cpu/lib/state/stored_random.h"

#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {

Philox GeneratorKernel::TakeBlocks(KernelContext& context, int64_t algorithm, uint64_t blocks) {
  const auto variable = Existing(context);
  VariableUpdate update(node_, *variable);
  CheckState(update.Value());
  return Take(update, algorithm, blocks, 0);
}

Philox GeneratorKernel::TakeTagged(KernelContext& context, uint64_t blocks) {
  const auto variable = Existing(context);
  VariableUpdate update(node_, *variable);
  CheckState(update.Value());
  Require(update.Value().elements() > 0, "the generator's state needs 4 numbers and has none");
  return Take(update, update.Value().data<int64_t>()[0], blocks, 1);
}

int64_t GeneratorKernel::NumberIn(const Tensor& tensor, const char* name) const {
  Require(tensor.rank() == 0, name, " must be a scalar, not of shape ", Printed(tensor.shape()));
  return IntAt(tensor, 0);
}

Philox GeneratorKernel::Take(VariableUpdate& update, int64_t algorithm, uint64_t blocks, int64_t tags) const {
  if (algorithm == 2) throw Unimplemented("the CPU has no generator 2, ThreeFry; take 1, Philox");
  Require(algorithm == 1 || algorithm == 3, "the algorithm names no generator: ", algorithm);
  const int64_t held = update.Value().elements();
  Require(held >= tags + 3, "the generator's state needs ", tags + 3, " numbers and has ", held);
  int64_t* const state = update.Writable().mutable_data<int64_t>().data() + tags;
  const auto low = static_cast<uint64_t>(state[0]), high = static_cast<uint64_t>(state[1]), sum = low + blocks;
  state[0] = static_cast<int64_t>(sum);
  state[1] = static_cast<int64_t>(high + (sum < low ? 1 : 0));
  return PhiloxAt(static_cast<uint64_t>(state[2]), low, high);
}

void GeneratorKernel::CheckState(const Tensor& state) const {
  RequireType(state.dtype(), DType::kInt64);
  Require(state.rank() == 1, "the generator's state must be a vector, not of shape ", Printed(state.shape()));
}

}  // namespace plumb::fast::cpu
