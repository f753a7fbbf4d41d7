#include "fastpath/cpu/lib/sparse_rows.h"

namespace plumb::fast::cpu {

void CheckPart(const SparsePart& part, DType type, size_t i) {
  Require(part.values.dtype() == type, "tensor ", i, " has values of type ", DTypeName(part.values.dtype()), ", not ",
          DTypeName(type));
  const IndexRows rows = IndexRowsOf(part.indices);
  Require(part.values.rank() == 1 && part.values.dim(0) == rows.count && part.dims.rank == rows.rank, "tensor ", i,
          " has indices of shape ", part.indices.shape().ToString(), ", values of shape ",
          part.values.shape().ToString(), " and ", part.dims.rank, " sizes");
}

SparsePart RowOf(const SparseView& view, int64_t begin, int64_t end) {
  const int rank = view.rows.rank;
  SparsePart row{
      Tensor(DType::kInt64, Shape({end - begin, rank - 1})), Tensor(view.values->dtype(), Shape({end - begin})), {}};
  int64_t* at = row.indices.mutable_data<int64_t>().data();
  for (int64_t i = begin; i < end; ++i) at = std::copy(view.rows[i] + 1, view.rows[i] + rank, at);
  CopyRun(row.values.dtype(), view.values->raw(), begin, row.values.mutable_raw(), 0, end - begin);
  for (int axis = 1; axis < view.dims.rank; ++axis) row.dims.Append(view.dims[axis]);
  return row;
}

void OutputRows(KernelContext& context, Dims outer, DType type, const std::vector<SparsePart>& parts) {
  Dims dims = outer;
  for (int axis = 0; axis < parts[0].dims.rank; ++axis) dims.Append(0);
  int64_t count = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    Require(parts[i].dims.rank == parts[0].dims.rank, "tensor ", i, " has another rank than those before it");
    const Shape checked = parts[i].dims.ToShape();
    for (int axis = 0; axis < checked.rank(); ++axis) {
      dims[outer.rank + axis] = std::max(dims[outer.rank + axis], checked[axis]);
    }
    count += parts[i].values.dim(0);
  }
  const Shape checked = dims.ToShape();
  int64_t* at = AllocateRows(context, 0, count, checked.rank());
  Tensor& values = context.AllocateOutput(1, type, Shape({count}));
  int64_t to = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const IndexRows rows = IndexRowsOf(parts[i].indices);
    CopyRun(type, parts[i].values.raw(), 0, values.mutable_raw(), to, rows.count);
    to += rows.count;
    for (int64_t j = 0; j < rows.count; ++j) {
      SetCoordinates(outer, static_cast<int64_t>(i), at);
      at = std::copy(rows[j], rows[j] + rows.rank, at + outer.rank);
    }
  }
  SetDims(context, 2, dims);
}

}  // namespace plumb::fast::cpu
