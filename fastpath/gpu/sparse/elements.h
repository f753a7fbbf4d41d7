// Elements of sparse tensors in the device's memory: coordinates [count, rank] and values [count].
#pragma once

#include <vector>

#include "fastpath/formulas/sparse/sparse_rules.h"
#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

struct SparseElements {
  SparseSizes sizes;
  Tensor indices, values;
};
// Inputs first, first + 1 and first + 2, of which the last, the dense shape, lies on the host.
SparseElements SparseInput(const GpuContext& context, int first);

// Numbers that the host knows, as a vector in its memory, and as one in the device's.
Tensor OnHost(const std::vector<int64_t>& numbers);
Tensor OnDevice(GpuContext& context, const std::vector<int64_t>& numbers);

// A row of coordinates.
struct Coordinates {
  Global<const int64_t> at;
  int rank;

  PLUMB_GPU_INLINE int64_t operator()(int64_t row, int axis) const { return at[row * rank + axis]; }
  // Whether row a comes before row b, in row-major order; of equal ones, the one that stands before.
  PLUMB_GPU_INLINE bool IsBefore(int64_t a, int64_t b) const {
    for (int axis = 0; axis < rank; ++axis) {
      const int64_t x = (*this)(a, axis), y = (*this)(b, axis);
      if (x != y) return x < y;
    }
    return false;
  }
  PLUMB_GPU_INLINE bool IsInside(int64_t row, const Global<const int64_t>& sizes) const {
    for (int axis = 0; axis < rank; ++axis) {
      const int64_t x = (*this)(row, axis);
      if (x < 0 || x >= sizes[axis]) return false;
    }
    return true;
  }
};
struct RowMajor {
  Coordinates rows;
  PLUMB_GPU_INLINE bool operator()(int64_t a, int64_t b) const {
    return rows.IsBefore(a, b) || (!rows.IsBefore(b, a) && a < b);
  }
};
Coordinates CoordinatesOf(const GpuContext& context, const SparseElements& elements);

// The status of a kernel that found element number - 1 outside of this shape.
Refusal OutsideOfSparse(const Shape& shape);

// Queues rows [begin, begin + count) of what `numbers` lists, int64 in the device's memory, into an output of
// coordinates and one of values, of as many rows. Coordinates are less `offsets`, one for each axis, unless there are
// none.
void TakeElements(GpuContext& context, const SparseElements& from, const Tensor& numbers, int64_t begin,
                  const std::vector<int64_t>& offsets, Tensor& indices, Tensor& values);

}  // namespace plumb::fast::GPU_NAMESPACE
