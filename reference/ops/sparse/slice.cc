#include <algorithm>
#include <iterator>

#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

using Wide = __int128;

std::vector<int64_t> BoxInput(const OpContext& c, int i, int rank) {
  Require(c.tensor(i).shape() == Shape{rank}, "start and size must be vectors of ", rank, " elements, not of shape ",
          c.tensor(i).shape().ToString());
  return ToInt64s(c.tensor(i));
}

void SparseSlice(OpContext& c) {
  const SparseTensor tensor = SparseInput(c, 0);
  const auto start = BoxInput(c, 3, tensor.at.rank), size = BoxInput(c, 4, tensor.at.rank);
  std::vector<int64_t> shape = tensor.dense_shape().ToVector();
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const Wide left = std::max<Wide>(0, Wide{shape[axis]} - start[axis]);
    const bool is_far = Wide{start[axis]} + size[axis] >= shape[axis];
    Require(size[axis] >= 0 || is_far, "size[", axis, "] must not be negative, but is ", size[axis]);
    shape[axis] = static_cast<int64_t>(std::min<Wide>(left, std::max<int64_t>(0, size[axis])));
  }
  const Shape checked{std::span<const int64_t>(shape)};
  Coordinates at{0, checked.rank(), {}};
  std::vector<int64_t> from;
  for (int64_t i = 0; i < tensor.at.count; ++i) {
    std::vector<int64_t> moved;
    for (int axis = 0; axis < at.rank; ++axis) {
      const Wide place = Wide{tensor.at(i, axis)} - start[static_cast<size_t>(axis)];
      if (place >= 0 && place < size[static_cast<size_t>(axis)]) moved.push_back(static_cast<int64_t>(place));
    }
    if (std::ssize(moved) < at.rank) continue;
    at.Append(moved);
    from.push_back(i);
  }
  SparseOutput(c, 0, at, Gathered(tensor.values, {at.count}, from), shape);
}

// Both lists of coordinates are gone through in step.
void SparseSliceGrad(OpContext& c) {
  const Coordinates from = CoordinatesOf(c.tensor(1)), to = CoordinatesOf(c.tensor(3));
  const Tensor& grad = c.tensor(0);
  Require(grad.shape() == Shape{to.count}, "backprop_val_grad must be a vector of ", to.count,
          " elements, not of shape ", grad.shape().ToString());
  Require(to.count <= from.count, "a slice has no more elements than the input: ", to.count, " of ", from.count);
  Require(from.rank == to.rank, "the coordinates must be as many as ", from.rank, ", not ", to.rank);
  const auto start = BoxInput(c, 2, from.rank);
  Assembly result(grad.dtype(), {from.count});
  int64_t next = 0;
  for (int64_t i = 0; i < from.count && next < to.count; ++i) {
    bool is_next = true;
    for (int axis = 0; axis < from.rank; ++axis) {
      is_next = is_next && Wide{to(next, axis)} + start[static_cast<size_t>(axis)] == from(i, axis);
    }
    if (is_next) result.Copy(i, c.input(0), next++);
  }
  if (next < to.count) {
    throw Internal("the gradient number ", next, " belongs to none of the elements that are left, in their order");
  }
  c.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"SparseSlice", SparseSlice},
    {"SparseSliceGrad", SparseSliceGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseSlice() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
