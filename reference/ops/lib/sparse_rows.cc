#include "reference/ops/lib/sparse_rows.h"

#include <algorithm>

namespace plumb::reference {

SparseTensor RowOf(const SparseTensor& tensor, int64_t begin, int64_t end) {
  SparseTensor row;
  row.at.rank = tensor.at.rank - 1;
  std::vector<int64_t> from;
  for (int64_t i = begin; i < end; ++i) {
    row.at.Append(tensor.at.row(i).subspan(1));
    from.push_back(i);
  }
  row.values = Gathered(tensor.values, {row.at.count}, from);
  row.shape.assign(tensor.shape.begin() + 1, tensor.shape.end());
  return row;
}

SparseTensor StackedRows(const Shape& outer, DType dtype, const std::vector<SparseTensor>& rows) {
  int64_t count = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    count += rows[i].at.count;
    Require(rows[0].at.rank == rows[i].at.rank, "tensor ", i, " has ", rows[i].at.rank,
            " dimensions, but those before it ", rows[0].at.rank);
  }
  std::vector<int64_t> shape = rows[0].shape;
  for (const SparseTensor& row : rows) {
    const Shape checked = row.dense_shape();
    for (size_t axis = 0; axis < shape.size(); ++axis) shape[axis] = std::max(shape[axis], checked.dims()[axis]);
  }
  shape.insert(shape.begin(), outer.dims().begin(), outer.dims().end());
  const Shape whole{std::span<const int64_t>(shape)};
  Coordinates at{0, whole.rank(), {}};
  Assembly values(dtype, {count});
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::vector<int64_t> place = CoordinatesAt(outer.dims(), static_cast<int64_t>(i));
    for (int64_t j = 0; j < rows[i].at.count; ++j) {
      std::vector<int64_t> coordinates = place;
      const auto inner = rows[i].at.row(j);
      coordinates.insert(coordinates.end(), inner.begin(), inner.end());
      values.Copy(at.count, rows[i].values, j);
      at.Append(coordinates);
    }
  }
  return {std::move(at), values.Take(), std::move(shape)};
}

}  // namespace plumb::reference
