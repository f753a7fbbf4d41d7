#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void OneHot(OpContext& context) {
  const Tensor& indices = context.tensor(0);
  const int64_t depth = IntegerOf(context.tensor(1), "depth");
  Require(depth >= 0, "depth must not be negative: ", depth);
  for (int i = 1; i < 4; ++i) {
    Require(context.tensor(i).rank() == 0, "depth, on_value and off_value must be scalars");
  }
  const int64_t axis_attr = context.attr<int64_t>("axis");
  Require(axis_attr >= -1, "the axis must be -1 or more, not ", axis_attr);
  const int axis = ResolveAxis(axis_attr, indices.rank() + 1, "axis");
  const Shape shape = WithInserted(indices.shape(), axis, depth);
  const AxisView view = ViewAt(shape, axis);
  const auto hot = Load<Integer>(context.input(0));
  Assembly result(context.tensor(2).dtype(), shape);
  for (int64_t i = 0; i < shape.elements(); ++i) {
    const int64_t outer = i / view.inner / view.size, inner = i % view.inner;
    const bool on = hot[outer * view.inner + inner] == i / view.inner % view.size;
    result.Copy(i, context.input(on ? 2 : 3), 0);
  }
  context.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"OneHot", OneHot},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayOneHot() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
