#include "reference/kernel/op_context.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

void Assert(OpContext& c) {
  const Tensor& condition = c.tensor(0);
  Require(condition.rank() == 0, "the condition of an Assert is a scalar, not of shape ", condition.shape().ToString());
  if (condition.scalar<bool>()) return;
  std::string data;
  for (int i = 1; i < c.num_inputs(); ++i) data += Str(" [", c.tensor(i).ToString(c.attr<int64_t>("summarize")), "]");
  throw InvalidArgument("assertion failed:", data);
}

void CheckSummarize(const Node& node) { Int32Attr(node, "summarize"); }

constexpr KernelRow kRows[] = {
    {"Assert", Assert, CheckSummarize},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CheckAssert() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
