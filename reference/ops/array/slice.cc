#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Whether a slice of this shape is whole along all axes but the first.
bool TakesRows(const Shape& whole, const Shape& slice) {
  for (int axis = 1; axis < whole.rank(); ++axis) {
    if (slice.dim(axis) != whole.dim(axis)) return false;
  }
  return true;
}

void Slice(OpContext& context) {
  const Value& value = context.input(0);
  const Shape& shape = value.tensor.shape();
  const auto begin = IntegersOf(context.tensor(1), "begin");
  auto size = IntegersOf(context.tensor(2), "size");
  Require(context.tensor(1).rank() == 1 && context.tensor(2).rank() == 1 &&
              begin.size() == static_cast<size_t>(shape.rank()) && size.size() == begin.size(),
          "begin and size must have one entry for each of the ", shape.rank(), " dimensions, not ", begin.size(),
          " and ", size.size());
  const auto strides = Strides(shape);
  int64_t base = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t dim = shape.dim(axis);
    Require(0 <= begin[axis] && begin[axis] <= dim, "begin[", axis, "] is ", begin[axis], ", but must be in [0, ", dim,
            "]");
    if (size[axis] == -1) size[axis] = dim - begin[axis];
    Require(0 <= size[axis] && size[axis] <= dim - begin[axis], "size[", axis, "] is ", size[axis],
            ", but must be in [0, ", dim - begin[axis], "]");
    base += begin[axis] * strides[axis];
  }
  const Shape result{std::span<const int64_t>(size)};
  if (result == shape) return context.Output(0, value);  // R31
  if (TakesRows(shape, result) && ForwardsSlice(value.tensor, begin[0], size[0])) {
    return context.Output(0, RowsOf(value, begin[0], size[0]));
  }
  context.Output(0, Gathered(value, result, Positions(result, strides, base)));
}

constexpr KernelRow kRows[] = {
    {"Slice", Slice},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArraySlice() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
