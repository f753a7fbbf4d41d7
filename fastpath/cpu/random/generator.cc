// Generators whose state is a variable (R88).
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/resource_kernel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ReadAndSkipKernel : public ResourceKernel {
 public:
  using ResourceKernel::ResourceKernel;

  void Run(KernelContext& context) override {
    RequireScalarInput(context.input(1), "alg");
    RequireScalarInput(context.input(2), "delta");
    const int32_t algorithm = context.input(1).scalar<int32_t>();
    const uint64_t delta = context.input(2).scalar<uint64_t>();
    const auto variable = Existing(context);
    VariableUpdate update(node_, *variable);
    CheckState(update.Value(), algorithm);
    const auto state = update.Writable().mutable_data<int64_t>();
    const auto value = context.AllocateOutput(0, DType::kInt64, Shape({3})).mutable_data<int64_t>();
    std::copy_n(state.begin(), 3, value.begin());
    const uint64_t low = static_cast<uint64_t>(state[0]), sum = low + (delta << 8);  // 256 blocks for each value
    state[0] = static_cast<int64_t>(sum);
    state[1] = static_cast<int64_t>(static_cast<uint64_t>(state[1]) + (sum < low ? 1 : 0));
  }

 private:
  void RequireScalarInput(const Tensor& tensor, const char* name) const {
    Require(tensor.rank() == 0, "node ", node_, ": ", name, " must be a scalar, not of shape ",
            Printed(tensor.shape()));
  }
  void CheckState(const Tensor& state, int32_t algorithm) const {
    RequireType(state.dtype(), DType::kInt64);
    Require(state.rank() == 1, "node ", node_, ": the generator's state must be a vector, not of shape ",
            Printed(state.shape()));
    if (algorithm == 2) throw Unimplemented("node ", node_, ": the CPU has no generator 2, ThreeFry; take 1, Philox");
    Require(algorithm == 1 || algorithm == 3, "node ", node_, ": alg names no generator: ", algorithm);
    Require(state.elements() >= 3, "node ", node_, ": the generator's state needs 3 numbers and has ",
            state.elements());
  }
};

constexpr KernelRow kRows[] = {{"RngReadAndSkip", Make<ReadAndSkipKernel>}};

}  // namespace

std::span<const KernelRow> RandomGenerator() { return kRows; }

}  // namespace plumb::fast::cpu
