// The same elements under another shape.
#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/op_context.h"

namespace plumb::reference {
namespace {

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

constexpr KernelRow kRows[] = {
    {"Reshape", Reshape},
    {"ExpandDims", ExpandDims},
    {"Squeeze", Squeeze},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayReshape() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
