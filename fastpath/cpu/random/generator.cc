// Generators whose state is a variable (R88).
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/stored_random.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ReadAndSkipKernel : public GeneratorKernel {
 public:
  using GeneratorKernel::GeneratorKernel;

  void Run(KernelContext& context) override {
    const Tensor& delta = context.input(2);
    const int64_t algorithm = NumberIn(context.input(1), "alg");
    Require(delta.rank() == 0, "delta must be a scalar, not of shape ", Printed(delta.shape()));
    const Philox before = TakeBlocks(context, algorithm, delta.scalar<uint64_t>() * kBlocksPerOutput);
    const Philox::State state = before.state();
    const auto value = context.AllocateOutput(0, DType::kInt64, Shape({3})).mutable_data<int64_t>();
    for (size_t i = 0; i < 3; ++i) {
      value[i] = static_cast<int64_t>(state[2 * i] | static_cast<uint64_t>(state[2 * i + 1]) << 32);
    }
  }
};

class SkipKernel : public GeneratorKernel {
 public:
  using GeneratorKernel::GeneratorKernel;

  void Run(KernelContext& context) override {
    const int64_t algorithm = NumberIn(context.input(1), "algorithm"), delta = NumberIn(context.input(2), "delta");
    TakeBlocks(context, algorithm, static_cast<uint64_t>(delta) * kBlocksPerOutput);
  }
};

constexpr KernelRow kRows[] = {
    {"RngReadAndSkip", Make<ReadAndSkipKernel>},
    {"RngSkip", Make<SkipKernel>},
};

}  // namespace

std::span<const KernelRow> RandomGenerator() { return kRows; }

}  // namespace plumb::fast::cpu
