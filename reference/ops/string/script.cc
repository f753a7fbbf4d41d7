#include <unicode/uscript.h>

#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

constexpr int32_t kNoScript = -1;

void UnicodeScript(OpContext& c) {
  const Tensor& input = c.tensor(0);
  Tensor scripts(DType::kInt32, input.shape());
  for (int64_t i = 0; i < input.elements(); ++i) {
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(input.data<int32_t>()[i], &error);
    scripts.mutable_data<int32_t>()[i] = U_SUCCESS(error) ? static_cast<int32_t>(script) : kNoScript;
  }
  c.Output(0, std::move(scripts));
}

constexpr KernelRow kRows[] = {
    {"UnicodeScript", UnicodeScript},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringScript() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
