#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

void Nothing(OpContext&) {}

constexpr KernelRow kRows[] = {
    {"NoOp", Nothing},
    {"ControlTrigger", Nothing},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ControlFlowNoOp() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
