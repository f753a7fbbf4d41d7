#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// The sizes wanted for so many elements, -1 replaced.
std::vector<int64_t> Resolved(std::vector<int64_t> wanted, int64_t elements) {
  std::optional<size_t> open;
  std::vector<int64_t> given;
  for (size_t i = 0; i < wanted.size(); ++i) {
    Require(wanted[i] >= 0 || (wanted[i] == -1 && !open), "new_shape[", i, "] = ", wanted[i],
            ": sizes must not be negative, and only one may be -1");
    if (wanted[i] == -1) open = i;
    if (wanted[i] != -1) given.push_back(wanted[i]);
  }
  const int64_t product = Shape(given).elements();
  if (open) {
    Require(product > 0 && elements % product == 0, elements, " elements cannot be divided among rows of ", product);
    wanted[*open] = elements / product;
  }
  Require(Shape(wanted).elements() == elements, "a shape of ", elements, " elements cannot become ",
          Shape(wanted).ToString());
  return wanted;
}

// How far apart neighbours along each axis are.
std::vector<int64_t> StridesOf(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

void SparseReshape(OpContext& c) {
  const Coordinates from = CoordinatesOf(c.tensor(0));
  Require(c.tensor(1).rank() == 1 && c.tensor(1).dim(0) == from.rank, "input_shape must be a vector of ", from.rank,
          " sizes, not of shape ", c.tensor(1).shape().ToString());
  Require(c.tensor(2).rank() == 1, "new_shape must be a vector, not of shape ", c.tensor(2).shape().ToString());
  const std::vector<int64_t> shape = ToInt64s(c.tensor(1));
  const int64_t elements = Shape(shape).elements();
  const std::vector<int64_t> target = Resolved(ToInt64s(c.tensor(2)), elements);
  if (target == shape) {  // R31
    c.Output(0, c.input(0));
    c.Output(1, c.input(1));
    return;
  }
  c.Output(1, VectorOf(target));
  Require(from.count == 0 || elements > 0, "a tensor of shape ", Shape(shape).ToString(), " has no elements");
  const std::vector<int64_t> strides = StridesOf(target);
  Coordinates to{0, static_cast<int>(target.size()), {}};
  for (int64_t i = 0; i < from.count; ++i) {
    int64_t place = PlaceOf(shape, from.row(i));
    std::vector<int64_t> row;
    for (const int64_t stride : strides) {
      row.push_back(place / stride);
      place %= stride;
    }
    to.Append(row);
  }
  c.Output(0, TensorOf(to));
}

constexpr KernelRow kRows[] = {
    {"SparseReshape", SparseReshape},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseReshape() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
