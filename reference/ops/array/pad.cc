// A tensor among zeros, or among copies of one value.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

constexpr int kMostPadded = 8;

void Pad(OpContext& context) {
  const Value& value = context.input(0);
  const Shape& shape = value.tensor.shape();
  const Tensor& table = context.tensor(1);
  if (shape.rank() > kMostPadded) {  // T9
    throw Unimplemented("tensors of more than ", kMostPadded, " dimensions are not padded: ", shape.ToString());
  }
  Require(table.rank() == 2 && table.dim(0) == shape.rank() && table.dim(1) == 2, "paddings must have the shape [",
          shape.rank(), ",2], not ", table.shape().ToString());
  const auto paddings = IntegersOf(table.Reshaped({table.elements()}), "paddings");
  std::vector<int64_t> dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t before = paddings[2 * axis], after = paddings[2 * axis + 1];
    Require(before >= 0 && after >= 0, "paddings must not be negative: ", before, " ", after);
    const Integer dim = Integer(before) + shape.dim(axis) + after;
    Require(Wrap(dim, DType::kInt64) == dim, "dimension ", axis, " of the result is too large");
    dims.push_back(static_cast<int64_t>(dim));
  }
  const Shape result(dims);
  CheckResultSize(result);
  if (context.num_inputs() > 2) {
    Require(context.tensor(2).rank() == 0, "constant_values must be a scalar, not of shape ",
            context.tensor(2).shape().ToString());
  }
  if (result == shape) return context.Output(0, value);  // R31
  const auto strides = Strides(result);
  int64_t base = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) base += paddings[2 * axis] * strides[axis];
  const auto positions = Positions(shape, strides, base);
  Assembly padded(value.tensor.dtype(), result);
  if (context.num_inputs() > 2) {
    for (int64_t i = 0; i < result.elements(); ++i) padded.Copy(i, context.input(2), 0);
  }
  for (size_t i = 0; i < positions.size(); ++i) padded.Copy(positions[i], value, static_cast<int64_t>(i));
  context.Output(0, padded.Take());
}

constexpr KernelRow kRows[] = {
    {"Pad", Pad},
    {"PadV2", Pad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayPad() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
