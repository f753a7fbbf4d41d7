#include "reference/kernel/op_context.h"
#include "reference/ops/lib/text_number.h"

namespace plumb::reference {
namespace {

void StringToNumber(OpContext& c) {
  const Tensor& texts = c.tensor(0);
  Tensor numbers(c.output_type(0), texts.shape());
  for (int64_t i = 0; i < texts.elements(); ++i) {
    const std::string& text = texts.data<std::string>()[i];
    Require(ReadNumber(text, i, numbers), "string ", i, ", '", text, "', is no ", DTypeName(numbers.dtype()));
  }
  c.Output(0, std::move(numbers));
}

constexpr KernelRow kRows[] = {
    {"StringToNumber", StringToNumber},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ParsingNumber() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
