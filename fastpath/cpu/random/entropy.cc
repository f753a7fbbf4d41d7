// Numbers that no seed fixes.
#include <random>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The system's randomness seeds a generator for each call.
template <class T>
class NonDeterministicIntsKernel : public Kernel {
 public:
  explicit NonDeterministicIntsKernel(const Node&) {}

  void Run(KernelContext& context) override {
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, ShapeIn(context.input(0)));
    std::random_device entropy;
    PhiloxWords words(PhiloxAt(static_cast<uint64_t>(entropy()) << 32 | entropy(), 0,
                               static_cast<uint64_t>(entropy()) << 32 | entropy()));
    for (T& number : output.mutable_data<T>()) {
      const uint64_t low = words.Next(), high = sizeof(T) == 8 ? words.Next() : 0;
      number = static_cast<T>(low | high << 32);
    }
  }
};

constexpr KernelRow kRows[] = {
    {"NonDeterministicInts", MakeFor<NonDeterministicIntsKernel, Types<int32_t, int64_t, uint32_t, uint64_t>>},
};

}  // namespace

std::span<const KernelRow> RandomEntropy() { return kRows; }

}  // namespace plumb::fast::cpu
