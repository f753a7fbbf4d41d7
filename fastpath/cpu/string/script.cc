#include <unicode/uscript.h>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class UnicodeScriptKernel : public Kernel {
 public:
  explicit UnicodeScriptKernel(const Node&) {}

  void Run(KernelContext& context) override {
    constexpr int64_t kGrain = 4096;
    const Tensor& input = context.input(0);
    const int32_t* characters = input.data<int32_t>().data();
    int32_t* scripts = context.AllocateOutput(0, DType::kInt32, input.shape()).mutable_data<int32_t>().data();
    context.pool().ParallelFor(input.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        UErrorCode error = U_ZERO_ERROR;
        scripts[i] = uscript_getScript(characters[i], &error);  // USCRIPT_INVALID_CODE, -1, outside of Unicode
      }
    });
  }
};

constexpr KernelRow kRows[] = {
    {"UnicodeScript", Make<UnicodeScriptKernel>},
};

}  // namespace

std::span<const KernelRow> StringScript() { return kRows; }

}  // namespace plumb::fast::cpu
