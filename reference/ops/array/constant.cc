#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

void Const(OpContext& c) {
  const Tensor& value = c.attr<Tensor>("value");
  Require(value.dtype() == c.output_type(0), "the value is ", DTypeName(value.dtype()), ", but dtype says ",
          DTypeName(c.output_type(0)));
  c.Output(0, value);
}

constexpr KernelRow kRows[] = {
    {"Const", Const},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayConstant() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
