// Tensors put side by side and taken apart along an axis.
#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/ops/array.h"

namespace plumb::reference {
namespace {

// Copies all of `piece` into the slab of the result that starts at `offset` along `axis`, or that slab out of `whole`.
void CopyIn(Assembly& result, const Shape& shape, int axis, int64_t offset, const Value& piece) {
  const AxisView whole = ViewAt(shape, axis), part = ViewAt(piece.tensor.shape(), axis);
  for (int64_t i = 0; i < part.outer; ++i) {
    result.Copy((i * whole.size + offset) * whole.inner, piece, i * part.size * part.inner, part.size * part.inner);
  }
}
Value CopyOut(const Value& value, int axis, int64_t offset, int64_t size) {
  const Shape shape = WithDim(value.tensor.shape(), axis, size);
  const AxisView whole = ViewAt(value.tensor.shape(), axis), part = ViewAt(shape, axis);
  Assembly result(value.tensor.dtype(), shape);
  for (int64_t i = 0; i < part.outer; ++i) {
    result.Copy(i * part.size * part.inner, value, (i * whole.size + offset) * whole.inner, part.size * part.inner);
  }
  return result.Take();
}

}  // namespace

void Concat(OpContext& context) {
  const int count = context.num_inputs() - 1;
  const Shape& first = context.tensor(0).shape();
  const int axis = ResolveAxis(IntegerOf(context.tensor(count), "axis"), first.rank(), "axis");
  Integer total = 0;
  for (int i = 0; i < count; ++i) {
    const Shape& shape = context.tensor(i).shape();
    Require(shape.rank() == first.rank(), "the pieces must have one rank: ", first.ToString(), " and ",
            shape.ToString());
    Require(WithDim(shape, axis, 0) == WithDim(first, axis, 0), "the pieces may differ along axis ", axis,
            " only: ", first.ToString(), " and ", shape.ToString());
    total += shape.dim(axis);
  }
  Require(Wrap(total, DType::kInt64) == total, "the concatenation is too long");
  const Shape shape = WithDim(first, axis, static_cast<int64_t>(total));
  Assembly result(context.tensor(0).dtype(), shape);
  for (int64_t i = 0, offset = 0; i < count; offset += context.tensor(i).dim(axis), ++i) {
    CopyIn(result, shape, axis, offset, context.input(i));
  }
  context.Output(0, result.Take());
}

void Pack(OpContext& context) {
  const Shape& element = context.tensor(0).shape();
  const int axis = ResolveAxis(context.attr<int64_t>("axis"), element.rank() + 1, "axis");
  const Shape shape = WithInserted(element, axis, context.num_inputs());
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
    context.Output(static_cast<int>(i), Reshaped(CopyOut(value, axis, i, 1), WithoutAxis(shape, axis)));
  }
}

void Split(OpContext& context) {
  const Value& value = context.input(1);
  const int axis = ResolveAxis(ScalarOf(context.tensor(0), "split_dim"), value.tensor.rank(), "split_dim");
  const auto num = static_cast<int64_t>(context.outputs.size());
  const int64_t dim = value.tensor.dim(axis);
  Require(num > 0 && dim % num == 0, "dimension ", axis, " of size ", dim, " cannot be split into ", num,
          " equal parts");
  for (int64_t i = 0; i < num; ++i) {
    context.Output(static_cast<int>(i), CopyOut(value, axis, i * (dim / num), dim / num));
  }
}

// One of several sizes may be -1: what remains.
void SplitV(OpContext& context) {
  const Value& value = context.input(0);
  auto sizes = IntegersOf(context.tensor(1), "size_splits");
  const int axis = ResolveAxis(IntegerOf(context.tensor(2), "split_dim"), value.tensor.rank(), "split_dim");
  Require(sizes.size() == context.outputs.size(), sizes.size(), " sizes were given for ", context.outputs.size(),
          " parts");
  int64_t* rest = nullptr;
  Integer sum = 0;
  for (int64_t& size : sizes) {
    Require(size >= 0 || sizes.size() > 1, "the size of a single part must be that of the input, not ", size);
    Require(size >= -1, "a part cannot have the size ", size);
    Require(size >= 0 || rest == nullptr, "only one size may be -1");
    if (size < 0) rest = &size;
    sum += size < 0 ? 0 : size;
  }
  const int64_t dim = value.tensor.dim(axis);
  Require(rest == nullptr ? sum == dim : sum <= dim, "the sizes do not add up to dimension ", axis, ", which is ", dim);
  if (rest != nullptr) *rest = static_cast<int64_t>(dim - sum);
  for (int64_t i = 0, offset = 0; i < static_cast<int64_t>(sizes.size()); offset += sizes[i], ++i) {
    context.Output(static_cast<int>(i), CopyOut(value, axis, offset, sizes[i]));
  }
}

}  // namespace plumb::reference
