#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

void GuaranteeConst(OpContext& c) {
  Require(c.tensor(0).dtype() != DType::kResource, "what a handle leads to cannot be promised to stay");
  c.Output(0, c.input(0));
}

constexpr KernelRow kRows[] = {
    {"GuaranteeConst", GuaranteeConst},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayGuaranteeConst() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
