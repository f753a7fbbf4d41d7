// Where the generators of stateless ops begin.
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/random.h"

namespace plumb::fast::cpu {
namespace {

class KeyCounterKernel : public Kernel {
 public:
  explicit KeyCounterKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Philox::Block words = ScrambledSeed(context.input(0)).Next();
    context.AllocateOutput(0, DType::kUint64, Shape({1})).mutable_data<uint64_t>()[0] =
        words[0] | static_cast<uint64_t>(words[1]) << 32;
    const auto counter = context.AllocateOutput(1, DType::kUint64, Shape({2})).mutable_data<uint64_t>();
    counter[0] = 0;
    counter[1] = words[2] | static_cast<uint64_t>(words[3]) << 32;
  }
};

// The number of Philox.
class AlgorithmKernel : public Kernel {
 public:
  explicit AlgorithmKernel(const Node&) {}
  void Run(KernelContext& context) override { WriteAlgorithm(context, 0); }

  static void WriteAlgorithm(KernelContext& context, int output) {
    context.AllocateOutput(output, DType::kInt32, Shape()).mutable_data<int32_t>()[0] = 1;
  }
};

class KeyCounterAlgorithmKernel : public KeyCounterKernel {
 public:
  using KeyCounterKernel::KeyCounterKernel;
  void Run(KernelContext& context) override {
    KeyCounterKernel::Run(context);
    AlgorithmKernel::WriteAlgorithm(context, 2);
  }
};

constexpr KernelRow kRows[] = {
    {"StatelessRandomGetAlg", Make<AlgorithmKernel>},
    {"StatelessRandomGetKeyCounterAlg", Make<KeyCounterAlgorithmKernel>},
    {"StatelessRandomGetKeyCounter", Make<KeyCounterKernel>},
};

}  // namespace

std::span<const KernelRow> RandomStateless() { return kRows; }

}  // namespace plumb::fast::cpu
