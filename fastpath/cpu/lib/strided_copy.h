// Moves a box of elements from one strided layout to another: what concat, split, slice, pad, tile, reverse and
// transpose have in common.
#pragma once

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

// Nested loops, outermost first. Strides count elements; a source stride may be 0 (repeat) or negative (reverse).
struct CopyPlan {
  int rank = 0;
  int64_t size[kMaxRank + 1];
  int64_t from[kMaxRank + 1];
  int64_t to[kMaxRank + 1];

  // Adds the next inner axis. Axes of one element vanish; an axis that continues the one around it widens that one.
  void Append(int64_t n, int64_t from_stride, int64_t to_stride);
  int64_t elements() const;
};

// Element types of any kind; `from` and `to` do not overlap and point at the elements with all loop indices 0.
void CopyStrided(ThreadPool& pool, DType type, const CopyPlan& plan, const void* from, void* to);

// `count` consecutive elements, by element offsets.
void CopyRun(DType type, const void* from, int64_t from_offset, void* to, int64_t to_offset, int64_t count);

// Sets the elements to the zero of their type (an empty string, no resource).
void FillZero(ThreadPool& pool, Tensor& tensor);
Tensor AllocateZeros(ThreadPool& pool, DType type, const Shape& shape);

// The address of element `offset`; null where the tensor has no elements, and so no bytes.
const void* At(const void* base, DType type, int64_t offset);
void* At(void* base, DType type, int64_t offset);

// Row-major strides of a shape that is not empty.
struct Strides {
  int64_t of[kMaxRank] = {};
  explicit Strides(const Shape& shape) {
    int64_t step = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      of[axis] = step;
      step *= shape[axis];
    }
  }
  int64_t operator[](int axis) const { return of[axis]; }
};

// Rows of `run` elements between two matrices of rows, at an offset within the row on each side.
struct RowBlock {
  int64_t rows;
  int64_t run;
};
void CopyRows(ThreadPool& pool, DType type, RowBlock block, const void* from, int64_t from_row, void* to,
              int64_t to_row);

// Fills `output` with the one element at `value`.
void FillWith(ThreadPool& pool, const void* value, Tensor& output);

}  // namespace plumb::fast::cpu
