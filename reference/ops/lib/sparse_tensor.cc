#include "reference/ops/lib/sparse_tensor.h"

#include <algorithm>

#include "reference/ops/lib/integer_tensor.h"

namespace plumb::reference {

Coordinates CoordinatesOf(const Tensor& indices) {
  Require(indices.rank() == 2, "the indices must be a matrix, not of shape ", indices.shape().ToString());
  Require(indices.dim(1) <= kMaxRank, "a tensor has ", kMaxRank, " dimensions at most, but there are ", indices.dim(1),
          " coordinates for each element");
  Coordinates coordinates{indices.dim(0), static_cast<int>(indices.dim(1)), {}};
  coordinates.at = ToInt64s(indices);
  return coordinates;
}

Tensor TensorOf(const Coordinates& coordinates) {
  return MakeTensor<int64_t>({coordinates.count, coordinates.rank}, std::span(coordinates.at));
}

Tensor VectorOf(std::span<const int64_t> numbers) { return IntegerVector(DType::kInt64, numbers); }

bool Contains(std::span<const int64_t> shape, std::span<const int64_t> coordinates) {
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (coordinates[axis] < 0 || coordinates[axis] >= shape[axis]) return false;
  }
  return true;
}

int64_t PlaceOf(std::span<const int64_t> shape, std::span<const int64_t> coordinates) {
  uint64_t place = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    place = place * static_cast<uint64_t>(shape[axis]) + static_cast<uint64_t>(coordinates[axis]);
  }
  return static_cast<int64_t>(place);
}

std::vector<int64_t> CoordinatesAt(std::span<const int64_t> shape, int64_t place) {
  std::vector<int64_t> coordinates(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    coordinates[axis] = place % shape[axis];
    place /= shape[axis];
  }
  return coordinates;
}

void SparseTensor::CheckBounds() const {
  for (int64_t i = 0; i < at.count; ++i) {
    if (Contains(shape, at.row(i))) continue;
    throw InvalidArgument("the coordinates number ", i, " are outside of the shape ", PartialShape(shape).ToString());
  }
}

void SparseTensor::CheckOrder() const {
  CheckBounds();
  for (int64_t i = 1; i < at.count; ++i) {
    const auto last = at.row(i - 1), next = at.row(i);
    Require(std::lexicographical_compare(last.begin(), last.end(), next.begin(), next.end()), "the coordinates number ",
            i, " do not come after those before them: order them and leave out repeated ones");
  }
}

SparseTensor SparseInput(const OpContext& c, int first) {
  const Tensor &values = c.tensor(first + 1), &shape = c.tensor(first + 2);
  SparseTensor tensor{CoordinatesOf(c.tensor(first)), c.input(first + 1), {}};
  Require(values.rank() == 1 && values.dim(0) == tensor.at.count, "the values must be a vector of ", tensor.at.count,
          " elements, one for each row of the indices, not of shape ", values.shape().ToString());
  Require(shape.rank() == 1 && shape.dim(0) == tensor.at.rank, "the shape must be a vector of ", tensor.at.rank,
          " sizes, one for each coordinate, not of shape ", shape.shape().ToString());
  tensor.shape = ToInt64s(shape);
  return tensor;
}

void SparseOutput(OpContext& c, int first, const Coordinates& at, Value values, std::span<const int64_t> shape) {
  c.Output(first, TensorOf(at));
  c.Output(first + 1, std::move(values));
  c.Output(first + 2, VectorOf(shape));
}

}  // namespace plumb::reference
