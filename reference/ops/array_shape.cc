// Ops about shapes alone: the elements are not looked at.
#include <algorithm>

#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/ops/array.h"

namespace plumb::reference {
namespace {

// Whole numbers as a tensor of `dtype`, each of which must fit.
Tensor IntegerTensor(DType dtype, const Shape& shape, std::span<const int64_t> numbers) {
  auto array = MakeArray<Integer>(dtype, shape);
  for (size_t i = 0; i < numbers.size(); ++i) {
    array.at[i] = numbers[i];
    Require(Wrap(numbers[i], dtype) == numbers[i], numbers[i], " does not fit into ", DTypeName(dtype));
  }
  return Store(array).tensor;
}
Tensor IntegerVector(DType dtype, std::span<const int64_t> numbers) {
  return IntegerTensor(dtype, {static_cast<int64_t>(numbers.size())}, numbers);
}

}  // namespace

void ShapeKernel(OpContext& context) {
  for (int i = 0; i < context.num_inputs(); ++i) {
    context.Output(i, IntegerVector(context.output_type(i), context.tensor(i).shape().dims()));
  }
}

void SizeKernel(OpContext& context) {
  const int64_t size = context.tensor(0).elements();
  context.Output(0, IntegerTensor(context.output_type(0), Shape(), {&size, 1}));
}

void RankKernel(OpContext& context) { context.Output(0, MakeScalar<int32_t>(context.tensor(0).rank())); }

void Reshape(OpContext& context) {
  const int64_t elements = context.tensor(0).elements();
  auto dims = IntegersOf(context.tensor(1), "shape");
  int unknown = -1;
  int64_t known = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    Require(dims[i] >= -1, "dimension ", i, " of the shape must not be negative: ", dims[i]);
    if (dims[i] == -1) {
      Require(unknown < 0, "only one dimension of the shape may be -1, not both ", unknown, " and ", i);
      unknown = static_cast<int>(i);
      continue;
    }
    const auto product = CheckedMultiply(known, dims[i]);
    Require(product.has_value(), "the shape has too many elements");
    known = *product;
  }
  if (unknown >= 0) {
    Require(known > 0, "a dimension of -1 cannot be inferred beside a dimension of zero");
    dims[unknown] = elements / known;
  }
  context.Output(0, Reshaped(context.input(0), Shape(dims)));
}

void ExpandDims(OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  const int axis = ResolveAxis(IntegerOf(context.tensor(1), "dim"), shape.rank() + 1, "dim");
  context.Output(0, Reshaped(context.input(0), WithInserted(shape, axis, 1)));
}

void Squeeze(OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  const auto requested = GetAttrOr<std::vector<int64_t>>(context.node.attrs, "squeeze_dims", {});
  std::vector<bool> drop(shape.rank(), false);
  for (int axis = 0; requested.empty() && axis < shape.rank(); ++axis) drop[axis] = shape.dim(axis) == 1;
  for (const int64_t dim : requested) {
    const int axis = ResolveAxis(dim, shape.rank(), "squeeze_dims");
    Require(shape.dim(axis) == 1, "dimension ", axis, " is ", shape.dim(axis), " and can't be squeezed out");
    drop[axis] = true;
  }
  std::vector<int64_t> dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!drop[axis]) dims.push_back(shape.dim(axis));
  }
  context.Output(0, Reshaped(context.input(0), Shape(dims)));
}

// Where each of several tensors starts in their concatenation.
void ConcatOffset(OpContext& context) {
  const Tensor& first = context.tensor(1);
  Require(first.rank() == 1, "the shapes must be vectors, not of shape ", first.shape().ToString());
  const auto axis = ResolveAxis(ScalarOf(context.tensor(0), "concat_dim"), first.dim(0), "concat_dim");
  const auto model = IntegersOf(first, "shape");
  Integer offset = 0;
  for (int i = 1; i < context.num_inputs(); ++i) {
    const auto dims = IntegersOf(context.tensor(i), "shape");
    Require(context.tensor(i).rank() == 1 && dims.size() == model.size(), "input ", i, " has ", dims.size(),
            " dimensions, input 1 ", model.size());
    auto start = MakeArray<Integer>(first.dtype(), first.shape());
    start[axis] = offset;
    for (size_t j = 0; j < dims.size(); ++j) {
      Require(static_cast<int>(j) == axis || dims[j] == model[j], "dimension ", j, " of input ", i, " is ", dims[j],
              ", of input 1 ", model[j]);
    }
    offset += dims[axis];
    context.Output(i - 1, Store(start));
  }
}

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

}  // namespace plumb::reference
