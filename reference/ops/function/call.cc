// The arguments and results of functions. Calls are rules of the step (reference/step/calls.h).
#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

// FN5: only a call gives an argument its value.
void Argument(OpContext& c) {
  throw InvalidArgument("the argument '", c.node.name, "' of a function is not inside of a call");
}

// And only a call takes a result.
void Result(OpContext& c) {
  throw InvalidArgument("the result '", c.node.name, "' of a function is not inside of a call");
}

constexpr KernelRow kRows[] = {
    {"_Arg", Argument},
    {"_DeviceArg", Argument},
    {"_DeviceRetval", Result},
    {"_Retval", Result},
};

}  // namespace

namespace topics {
std::span<const KernelRow> FunctionCall() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
