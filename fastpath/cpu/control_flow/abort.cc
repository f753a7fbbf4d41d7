// The end of the process (X38).
#include <cstdio>
#include <cstdlib>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class AbortKernel final : public Kernel {
 public:
  explicit AbortKernel(const Node& node)
      : node_(node.name),
        message_(GetAttr<std::string>(node.attrs, "error_msg")),
        exits_(GetAttr<bool>(node.attrs, "exit_without_error")) {}

  // No destructor runs: other threads still use what it would destroy.
  void Run(KernelContext&) override {
    std::fprintf(stderr, "node %s ends the process: %s\n", node_.c_str(), message_.c_str());
    if (exits_) std::_Exit(0);
    std::abort();
  }

 private:
  const std::string node_, message_;
  const bool exits_;
};

constexpr KernelRow kRows[] = {
    {"Abort", Make<AbortKernel>},
};

}  // namespace

std::span<const KernelRow> ControlFlowAbort() { return kRows; }

}  // namespace plumb::fast::cpu
