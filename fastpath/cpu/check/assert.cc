// Assert.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

class Assert final : public Kernel {
 public:
  explicit Assert(const Node& node) : summarize_(node.attrs.contains("summarize") ? Int32Attr(node, "summarize") : 3) {}
  void Run(KernelContext& context) override {
    const Tensor& condition = context.input(0);
    Require(condition.rank() == 0, "the condition must be a scalar, not of shape ", condition.shape().ToString());
    if (condition.scalar<bool>()) return;
    std::string message = "assertion failed:";
    for (int i = 1; i < context.num_inputs(); ++i) {
      const Tensor& data = context.input(i);
      message += " [" + data.ToString(summarize_ < 0 ? data.elements() : summarize_) + "]";
    }
    throw InvalidArgument(message);
  }

 private:
  int64_t summarize_;
};

constexpr KernelRow kRows[] = {
    {"Assert", Make<Assert>},
};

}  // namespace

std::span<const KernelRow> CheckAssert() { return kRows; }

}  // namespace plumb::fast::cpu
