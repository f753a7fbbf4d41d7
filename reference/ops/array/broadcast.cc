#include "reference/numbers/broadcast.h"

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

void BroadcastArgs(OpContext& context) {
  Require(context.tensor(0).rank() == 1 && context.tensor(1).rank() == 1, "shapes must be vectors");
  auto longer = IntegersOf(context.tensor(0), "s0"), shorter = IntegersOf(context.tensor(1), "s1");
  if (longer.size() < shorter.size()) longer.swap(shorter);
  const size_t missing = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const int64_t m = longer[missing + i], n = shorter[i];
    Require(m == n || m == 1 || n == 1, "incompatible shapes: dimension ", missing + i, " is ", m, " and ", n);
    longer[missing + i] = m == 1 ? n : m;
  }
  context.Output(0, IntegerVector(context.output_type(0), longer));
}

// A result without elements must fit its input too.
void BroadcastTo(OpContext& context) {
  const Value& x = context.input(0);
  const Shape& from = x.tensor.shape();
  const Shape to = ShapeOfVector(context.tensor(1), "shape");
  if (to == from) return context.Output(0, x);  // R31
  Require(from.rank() <= to.rank(), "the shape ", from.ToString(), " has more dimensions than ", to.ToString());
  const int missing = to.rank() - from.rank();
  for (int axis = 0; axis < from.rank(); ++axis) {
    Require(from.dim(axis) == to.dim(missing + axis) || from.dim(axis) == 1, "the shape ", from.ToString(),
            " does not broadcast to ", to.ToString());
  }
  CheckResultSize(to);
  Assembly result(x.tensor.dtype(), to);
  if (to.elements() > 0) {
    Walk position = BroadcastWalk(from, to);
    for (int64_t i = 0; i < to.elements(); ++i, position.Next()) result.Copy(i, x, position.position());
  }
  context.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"BroadcastGradientArgs", BroadcastGradientArgs},
    {"BroadcastArgs", BroadcastArgs},
    {"BroadcastTo", BroadcastTo},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayBroadcast() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
