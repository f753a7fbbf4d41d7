#include "fastpath/cpu/lib/text_number.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class StringToNumberKernel : public Kernel {
 public:
  explicit StringToNumberKernel(const Node&) {}

  void Run(KernelContext& context) override {
    constexpr int64_t kGrain = 2048;
    const Tensor& input = context.input(0);
    const std::string* texts = input.data<std::string>().data();
    T* numbers = context.AllocateOutput(0, DTypeOf<T>, input.shape()).template mutable_data<T>().data();
    context.pool().ParallelFor(input.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Require(ReadNumber(texts[i], numbers[i]), "string ", i, ", '", texts[i], "', is no ", DTypeName(DTypeOf<T>));
      }
    });
  }
};

constexpr KernelRow kRows[] = {
    {"StringToNumber", MakeFor<StringToNumberKernel, Types<float, double, int32_t, int64_t>>},
};

}  // namespace

std::span<const KernelRow> ParsingNumber() { return kRows; }

}  // namespace plumb::fast::cpu
