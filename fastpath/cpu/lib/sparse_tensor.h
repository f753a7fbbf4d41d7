// A sparse tensor in three inputs: indices [n, rank], values [n], shape [rank], all checked against each other.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/words.h"
#include "fastpath/formulas/sparse/sparse_rules.h"

namespace plumb::fast::cpu {

// A matrix of coordinates in the memory of a tensor, which must outlive it.
struct IndexRows {
  int64_t count = 0;
  int rank = 0;
  const int64_t* at = nullptr;

  const int64_t* operator[](int64_t i) const { return at + i * rank; }
};
// kInvalidArgument unless `indices` is a matrix.
inline IndexRows IndexRowsOf(const Tensor& indices) {
  const SparseSizes sizes = SparseSizesOf(indices.shape());
  return {sizes.count, sizes.rank, indices.data<int64_t>().data()};
}

// The values of a shape vector, which are at most as many as a shape may have. No size is looked at.
inline Dims DimsOf(const Tensor& shape, std::string_view what = "shape") {
  Require(shape.rank() == 1, what, " must be a vector, not of shape ", shape.shape().ToString());
  Dims dims;
  for (int64_t i = 0; i < shape.elements(); ++i) dims.Append(IntAt(shape, i));
  return dims;
}

inline bool Contains(const Dims& dims, const int64_t* coordinates) {
  for (int axis = 0; axis < dims.rank; ++axis) {
    if (coordinates[axis] < 0 || coordinates[axis] >= dims[axis]) return false;
  }
  return true;
}

// The place of an element in row-major order; it may wrap around where the shape does not contain it.
inline int64_t PlaceIn(const Dims& dims, const int64_t* coordinates) {
  uint64_t place = 0;
  for (int axis = 0; axis < dims.rank; ++axis) {
    place = place * static_cast<uint64_t>(dims[axis]) + static_cast<uint64_t>(coordinates[axis]);
  }
  return static_cast<int64_t>(place);
}
inline void SetCoordinates(const Dims& dims, int64_t place, int64_t* coordinates) {
  for (int axis = dims.rank - 1; axis >= 0; --axis) {
    coordinates[axis] = place % dims[axis];
    place /= dims[axis];
  }
}

inline bool IsBefore(const int64_t* a, const int64_t* b, int rank) {
  return std::lexicographical_compare(a, a + rank, b, b + rank);
}

// kInvalidArgument where a row lies outside of the shape, which has as many dimensions.
inline void CheckBounds(const IndexRows& rows, const Dims& dims) {
  for (int64_t i = 0; i < rows.count; ++i) {
    if (Contains(dims, rows[i])) continue;
    throw InvalidArgument("the coordinates of element ", i, " are outside of the shape ", dims.ToShape().ToString());
  }
}
// Besides, each row must come after the one before it.
inline void CheckOrder(const IndexRows& rows, const Dims& dims) {
  CheckBounds(rows, dims);
  for (int64_t i = 1; i < rows.count; ++i) {
    Require(IsBefore(rows[i - 1], rows[i], rows.rank), "the coordinates of element ", i,
            " do not come after those of the element before it");
  }
}

struct SparseView {
  IndexRows rows;
  const Tensor* values = nullptr;
  Dims dims;
};
// Inputs first, first + 1 and first + 2.
inline SparseView SparseInput(const KernelContext& context, int first) {
  const Tensor &indices = context.input(first), &values = context.input(first + 1), &shape = context.input(first + 2);
  SparseSizesOf(indices.shape(), values.shape(), shape.shape());
  return {IndexRowsOf(indices), &values, DimsOf(shape)};
}

// A vector output of these sizes.
inline void SetDims(KernelContext& context, int output, const Dims& dims) {
  Tensor& tensor = context.AllocateOutput(output, DType::kInt64, Shape({dims.rank}));
  std::copy(dims.size, dims.size + dims.rank, tensor.mutable_data<int64_t>().data());
}

// A matrix output for so many rows of coordinates.
inline int64_t* AllocateRows(KernelContext& context, int output, int64_t count, int rank) {
  return context.AllocateOutput(output, DType::kInt64, Shape({count, rank})).mutable_data<int64_t>().data();
}

// Elements `from[i]` of a tensor of any type.
inline void GatherElements(const Tensor& values, const std::vector<int64_t>& from, Tensor& to) {
  VisitStorage(values.dtype(), [&](auto tag) {
    using Element = typename decltype(tag)::Type;
    const Element* const elements = static_cast<const Element*>(values.raw());
    Element* const gathered = static_cast<Element*>(to.mutable_raw());
    for (size_t i = 0; i < from.size(); ++i) gathered[i] = elements[from[i]];
  });
}

// Each element of a tensor of any type to `place[i]`.
inline void ScatterElements(const Tensor& values, const int64_t* place, Tensor& to) {
  const int64_t count = values.elements();
  VisitStorage(values.dtype(), [&](auto tag) {
    using Element = typename decltype(tag)::Type;
    const Element* const elements = static_cast<const Element*>(values.raw());
    Element* const scattered = static_cast<Element*>(to.mutable_raw());
    for (int64_t i = 0; i < count; ++i) scattered[place[i]] = elements[i];
  });
}

// The numbers of the rows in lexicographic order, equal ones in the order in which they stand.
inline std::vector<int64_t> RowMajorOrder(const IndexRows& rows) {
  std::vector<int64_t> order(static_cast<size_t>(rows.count));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int64_t i, int64_t j) { return IsBefore(rows[i], rows[j], rows.rank); };
  if (!std::is_sorted(order.begin(), order.end(), before)) std::stable_sort(order.begin(), order.end(), before);
  return order;
}

}  // namespace plumb::fast::cpu
