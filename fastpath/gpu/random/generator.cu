// Generators whose state is a variable (R88).
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/variables/variable_kernel.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

enum Wrong : int64_t { kNoGenerator = 1, kOtherGenerator = 2, kShortState = 3 };

// One thread: gives the state, and moves it over the 256 blocks of each value. What is refused changes nothing.
PLUMB_GPU_KERNEL ReadAndSkip(Global<const int32_t> alg, Global<const uint64_t> delta, Global<int64_t> state,
                             Global<int64_t> value, Global<int64_t> slot) {
  const int32_t algorithm = alg[0];
  const bool is_philox = algorithm == 1 || algorithm == 3;
  if (!is_philox || state.size < 3) {
    AtomicCas(slot[0], int64_t{0}, int64_t{is_philox ? kShortState : algorithm == 2 ? kOtherGenerator : kNoGenerator});
    return;
  }
  for (int i = 0; i < 3; ++i) value[i] = state[i];
  const auto low = static_cast<uint64_t>(state[0]);
  const uint64_t sum = low + (delta[0] << 8);
  state[0] = static_cast<int64_t>(sum);
  state[1] = static_cast<int64_t>(static_cast<uint64_t>(state[1]) + (sum < low ? 1 : 0));
}

Status Refused(int64_t wrong) {
  switch (wrong) {
    case kOtherGenerator:
      return Status(Code::kUnimplemented, "a GPU has no generator 2, ThreeFry; take 1, Philox");
    case kShortState:
      return Status(Code::kInvalidArgument, "the generator's state needs 3 numbers");
    default:
      return Status(Code::kInvalidArgument, "alg names no generator");
  }
}

class ReadAndSkipKernel final : public VariableKernel {
 public:
  using VariableKernel::VariableKernel;

 private:
  void RunInside(GpuContext& context, Variable& variable) override {
    RequireScalarInput(context.input(1), "alg");
    RequireScalarInput(context.input(2), "delta");
    VariableUpdate update(node_, variable);
    RequireType(update.Value().dtype(), DType::kInt64);
    const Shape shape = update.Value().shape();
    Require(shape.rank() == 1, "the generator's state must be a vector, not of shape ", shape.ToString());
    Tensor value = context.AllocateOutput(0, Shape({3}));
    Launch(context.stream(), GridSize{.blocks = 1, .threads = 1}, ReadAndSkip, context.In<int32_t>(1),
           context.In<uint64_t>(2), context.ViewOf<int64_t>(update.Writable()), context.ViewOf<int64_t>(value),
           context.NewSlot(Refused));
  }

  void RequireScalarInput(const Tensor& tensor, const char* name) const {
    Require(tensor.rank() == 0, name, " must be a scalar, not of shape ", tensor.shape().ToString());
  }
};

constexpr GpuKernelRow kRows[] = {
    {"RngReadAndSkip", Make<ReadAndSkipKernel>},
};

}  // namespace

std::span<const GpuKernelRow> RandomGenerator() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
