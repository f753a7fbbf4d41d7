// What stands for a value that is fed.
#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

// F11: only a feed gives a placeholder its value.
void Placeholder(OpContext& c) {
  throw InvalidArgument("You must feed a value for placeholder '", c.node.name, "' with dtype ",
                        DTypeName(c.output_type(0)));
}

void PlaceholderWithDefault(OpContext& c) { c.Output(0, c.input(0)); }

constexpr KernelRow kRows[] = {
    {"Placeholder", Placeholder},
    {"PlaceholderV2", Placeholder},
    {"PlaceholderWithDefault", PlaceholderWithDefault},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayPlaceholder() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
