// Tensors put side by side along a new axis, and taken apart along one that goes away.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/slab.h"

namespace plumb::reference {
namespace {

void Pack(OpContext& context) {
  const Shape& element = context.tensor(0).shape();
  const int axis = ResolveAxis(context.attr<int64_t>("axis"), element.rank() + 1, "axis");
  const Shape shape = WithInserted(element, axis, context.num_inputs());
  if (context.num_inputs() == 1) return context.Output(0, Reshaped(context.input(0), shape));  // R31
  Assembly result(context.tensor(0).dtype(), shape);
  for (int i = 0; i < context.num_inputs(); ++i) {
    Require(context.tensor(i).shape() == element,
            "the shapes of all inputs must match: values[0].shape = ", element.ToString(), ", values[", i,
            "].shape = ", context.tensor(i).shape().ToString());
    CopyIn(result, shape, axis, i, Reshaped(context.input(i), WithInserted(element, axis, 1)));
  }
  context.Output(0, result.Take());
}

void Unpack(OpContext& context) {
  const Value& value = context.input(0);
  const Shape& shape = value.tensor.shape();
  const int axis = ResolveAxis(context.attr<int64_t>("axis"), shape.rank(), "axis");
  const auto num = static_cast<int64_t>(context.outputs.size());
  Require(shape.dim(axis) == num, "the input has ", shape.dim(axis), " slices along axis ", axis, ", not ", num);
  for (int64_t i = 0; i < num; ++i) {
    context.Output(static_cast<int>(i), Reshaped(PieceOf(value, axis, i, 1), WithoutAxis(shape, axis)));
  }
}

constexpr KernelRow kRows[] = {
    {"Pack", Pack},
    {"Unpack", Unpack},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayPack() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
