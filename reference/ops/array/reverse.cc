#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

constexpr int kMostReversed = 8;

Value Reversed(const Value& value, const std::vector<bool>& reversed) {
  const Shape& shape = value.tensor.shape();
  if (shape.rank() > kMostReversed) {  // T9
    throw Unimplemented("tensors of more than ", kMostReversed, " dimensions are not reversed: ", shape.ToString());
  }
  auto strides = Strides(shape);
  int64_t base = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!reversed[axis]) continue;
    base += (shape.dim(axis) - 1) * strides[axis];
    strides[axis] = -strides[axis];
  }
  return Gathered(value, shape, Positions(shape, strides, base));
}

// Where nothing can move, the axes are not looked at.
void ReverseV2(OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  if (shape.rank() == 0 || shape.elements() == 0) return context.Output(0, context.input(0));
  Require(context.tensor(1).rank() == 1, "axis must be a vector, not of shape ", context.tensor(1).shape().ToString());
  std::vector<bool> reversed(shape.rank(), false);
  for (const int64_t entry : IntegersOf(context.tensor(1), "axis")) {
    const int axis = ResolveAxis(entry, shape.rank(), "axis");
    Require(!reversed[axis], "axis ", axis, " is named twice");
    reversed[axis] = true;
  }
  context.Output(0, Reversed(context.input(0), reversed));
}

void Reverse(OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  if (shape.rank() == 0) return context.Output(0, context.input(0));
  Require(shape.dim(0) > 0, "the tensor has no entry along its first dimension: ", shape.ToString());
  const Tensor& dims = context.tensor(1);
  Require(dims.rank() == 1 && dims.dim(0) == shape.rank(), "dims must say of each dimension of ", shape.ToString(),
          " whether it is reversed, not have the shape ", dims.shape().ToString());
  const auto flags = dims.data<bool>();
  context.Output(0, Reversed(context.input(0), std::vector<bool>(flags.begin(), flags.end())));
}

// Of each batch entry, the first seq_lengths elements along seq_dim are reversed.
void ReverseSequence(OpContext& context) {
  const Value& value = context.input(0);
  const Shape& shape = value.tensor.shape();
  const auto lengths = IntegersOf(context.tensor(1), "seq_lengths");
  const auto axis_attr = [&](std::string_view name) {
    const int64_t axis = context.attr<int64_t>(name);
    Require(0 <= axis && axis < shape.rank(), name, " must be below the rank ", shape.rank(), ", not ", axis);
    return static_cast<int>(axis);
  };
  const int sequence = axis_attr("seq_dim"), batch = axis_attr("batch_dim");
  Require(sequence != batch, "seq_dim and batch_dim must differ: ", sequence);
  Require(context.tensor(1).rank() == 1 && static_cast<int64_t>(lengths.size()) == shape.dim(batch),
          "seq_lengths must be a vector of length ", shape.dim(batch), ", not ", lengths.size());
  for (const int64_t length : lengths) {
    Require(0 <= length && length <= shape.dim(sequence), "a sequence length must be in [0, ", shape.dim(sequence),
            "], not ", length);
  }
  const auto strides = Strides(shape);
  auto positions = Positions(shape, strides);
  for (int64_t& position : positions) {
    const int64_t step = position / strides[sequence] % shape.dim(sequence);
    const int64_t length = lengths[position / strides[batch] % shape.dim(batch)];
    if (step < length) position += (length - 1 - 2 * step) * strides[sequence];
  }
  context.Output(0, Gathered(value, shape, positions));
}

constexpr KernelRow kRows[] = {
    {"Reverse", Reverse},
    {"ReverseV2", ReverseV2},
    {"ReverseSequence", ReverseSequence},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayReverse() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
