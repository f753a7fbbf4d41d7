#include <algorithm>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/integer_tensor.h"

namespace plumb::reference {
namespace {

// The axes over which the gradient of a broadcast must be summed for each operand. Axes where both are 1 count for
// both, but shapes that are equal need no sum at all.
void BroadcastGradientArgs(OpContext& context) {
  Require(context.tensor(0).rank() == 1 && context.tensor(1).rank() == 1, "shapes must be vectors");
  const auto x = IntegersOf(context.tensor(0), "s0"), y = IntegersOf(context.tensor(1), "s1");
  const int rank = static_cast<int>(std::max(x.size(), y.size()));
  const auto dim = [&](const std::vector<int64_t>& dims, int axis) {
    const int own = axis - (rank - static_cast<int>(dims.size()));
    return own < 0 ? 1 : dims[own];
  };
  std::vector<int64_t> reduce_x, reduce_y;
  for (int axis = 0; axis < rank && x != y; ++axis) {
    const int64_t m = dim(x, axis), n = dim(y, axis);
    Require(m == n || m == 1 || n == 1, "incompatible shapes: dimension ", axis, " is ", m, " and ", n);
    if (m == 1) reduce_x.push_back(axis);
    if (n == 1) reduce_y.push_back(axis);
  }
  context.Output(0, IntegerVector(context.output_type(0), reduce_x));
  context.Output(1, IntegerVector(context.output_type(1), reduce_y));
}

constexpr KernelRow kRows[] = {
    {"BroadcastGradientArgs", BroadcastGradientArgs},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayBroadcast() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
