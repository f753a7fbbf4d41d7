#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// R25.
void CountUpTo(OpContext& c) {
  Require(c.tensor(0).rank() == 0, "CountUpTo counts a scalar, not shape ", c.tensor(0).shape().ToString());
  const Integer count = LoadScalar<Integer>(c.input(0));
  const int64_t limit = c.attr<int64_t>("limit");
  if (count >= Integer(limit)) throw OutOfRange("Reached limit of ", limit);
  Array<Integer> next = Load<Integer>(c.input(0));
  next[0] += Integer(1);
  c.Output(0, Detached(c.input(0)));
  c.ref(0).Update(Store(next));
}

void CheckLimit(const Node& node) {
  const int64_t limit = GetAttr<int64_t>(node.attrs, "limit");
  const bool is_narrow = GetAttr<DType>(node.attrs, "T") == DType::kInt32;
  Require(!is_narrow || (INT32_MIN <= limit && limit <= INT32_MAX), "the limit ", limit, " is no int32, at node '",
          node.name, "'");
}

constexpr KernelRow kRows[] = {
    {"CountUpTo", CountUpTo, CheckLimit},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateCountUpTo() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
