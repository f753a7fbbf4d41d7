#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class GuaranteeConstKernel : public Kernel {
 public:
  explicit GuaranteeConstKernel(const Node&) {}

  void Run(KernelContext& context) override {
    Require(context.input(0).dtype() != DType::kResource, "a handle is no constant");
    context.SetOutput(0, context.input(0));
  }
  bool KeepsAliases() const override { return true; }
};

constexpr KernelRow kRows[] = {
    {"GuaranteeConst", Make<GuaranteeConstKernel>},
};

}  // namespace

std::span<const KernelRow> ArrayGuaranteeConst() { return kRows; }

}  // namespace plumb::fast::cpu
