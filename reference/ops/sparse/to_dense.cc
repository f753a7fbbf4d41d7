#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// A vector of indices, or one, has one coordinate for each element.
Coordinates RowsOf(const Tensor& indices) {
  Require(indices.rank() <= 2, "sparse_indices must be a scalar, a vector or a matrix, not of shape ",
          indices.shape().ToString());
  if (indices.rank() == 2) return CoordinatesOf(indices);
  return {indices.elements(), 1, ToInt64s(indices)};
}

void SparseToDense(OpContext& c) {
  const Tensor &shape = c.tensor(1), &values = c.tensor(2);
  SparseTensor tensor{RowsOf(c.tensor(0)), c.input(2), {}};
  Require(shape.rank() == 1 && shape.dim(0) == tensor.at.rank, "output_shape must be a vector of ", tensor.at.rank,
          " sizes, not of shape ", shape.shape().ToString());
  Require(values.rank() == 0 || values.shape() == Shape{tensor.at.count}, "sparse_values must be a scalar or a vector ",
          "of ", tensor.at.count, " elements, not of shape ", values.shape().ToString());
  Require(c.tensor(3).rank() == 0, "default_value must be a scalar, not of shape ", c.tensor(3).shape().ToString());
  tensor.shape = ToInt64s(shape);
  const Shape dense = tensor.dense_shape();
  CheckResultSize(dense);
  c.attr<bool>("validate_indices") ? tensor.CheckOrder() : tensor.CheckBounds();
  Assembly result(values.dtype(), dense);
  for (int64_t i = 0; i < dense.elements(); ++i) result.Copy(i, c.input(3), 0);
  for (int64_t i = 0; i < tensor.at.count; ++i) {
    result.Copy(PlaceOf(tensor.shape, tensor.at.row(i)), c.input(2), values.rank() == 0 ? 0 : i);
  }
  c.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"SparseToDense", SparseToDense},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseToDense() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
