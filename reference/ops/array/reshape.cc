// The same elements under another shape.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The size of the one dimension that is left open beside `known`, the product of the others but zeros. Where a zero is
// among these, the input's own zeros do not count, so that [0, 3] takes the shape {0, -1} as [0, 3].
int64_t OpenDimension(const Shape& input, int64_t known, bool has_zero) {
  int64_t elements = 1;
  bool both_zero = false;
  for (const int64_t size : input.dims()) {
    both_zero |= has_zero && size == 0;
    if (has_zero && size == 0) continue;
    const auto product = CheckedMultiply(elements, size);
    Require(product.has_value(), "the input has too many elements to infer a dimension from");
    elements = *product;
  }
  Require(both_zero || elements % known == 0, "the input's ", elements, " elements do not fill multiples of ", known);
  return elements / known;
}

void Reshape(OpContext& context) {
  auto dims = IntegersOf(context.tensor(1), "shape");
  int unknown = -1;
  int64_t known = 1;
  bool has_zero = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    Require(dims[i] >= -1, "dimension ", i, " of the shape must not be negative: ", dims[i]);
    if (dims[i] == -1) {
      Require(unknown < 0, "only one dimension of the shape may be -1, not both ", unknown, " and ", i);
      unknown = static_cast<int>(i);
      continue;
    }
    has_zero |= dims[i] == 0;
    const auto product = CheckedMultiply(known, dims[i] == 0 ? 1 : dims[i]);
    Require(product.has_value(), "the shape has too many elements");
    known = *product;
  }
  if (unknown >= 0) dims[unknown] = OpenDimension(context.tensor(0).shape(), known, has_zero);
  context.Output(0, Reshaped(context.input(0), Shape(dims)));
}

// The range goes along, as scalars.
void QuantizedReshape(OpContext& context) {
  Reshape(context);
  for (const int i : {2, 3}) {
    const Shape& shape = context.tensor(i).shape();
    Require(shape.rank() <= 1 && shape.elements() == 1, "a range must be scalars or vectors of one, not of shape ",
            shape.ToString());
    Writer<Real> end(DType::kFloat, Shape());
    end.Set(0, LoadScalar<Real>(context.input(i)));
    context.Output(i - 1, end.Take());
  }
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
    {"QuantizedReshape", QuantizedReshape},
    {"ExpandDims", ExpandDims},
    {"Squeeze", Squeeze},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayReshape() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
