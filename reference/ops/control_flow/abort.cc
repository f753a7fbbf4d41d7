// The end of the process (X38).
#include <cstdio>
#include <cstdlib>

#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

// Destructors of other threads' objects are not run: those threads are in the middle of something.
void Abort(OpContext& c) {
  if (c.attr<bool>("exit_without_error")) {
    std::fprintf(stderr, "node %s ends the process\n", c.node.name.c_str());
    std::_Exit(0);
  }
  std::fprintf(stderr, "node %s aborts the process: %s\n", c.node.name.c_str(),
               c.attr<std::string>("error_msg").c_str());
  std::abort();
}

constexpr KernelRow kRows[] = {
    {"Abort", Abort},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ControlFlowAbort() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
