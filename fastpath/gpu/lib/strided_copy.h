// Elements moved from one place to another without being looked into: whatever reorders, repeats, cuts or joins
// tensors.
#pragma once

#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {

// Queues, for each i below the product of the walk's sizes,
//   to[to_first + walk.At(1, i)] = from[from_first + walk.At(0, i)].
void CopyAlong(GpuContext& context, const Walk& walk, const Tensor& from, int64_t from_first, Tensor& to,
               int64_t to_first);
// Rows of `run` elements, whose beginnings lie `from_step` and `to_step` apart.
struct Rows {
  int64_t rows = 0, run = 0, from_step = 0, to_step = 0;
};
void CopyRows(GpuContext& context, const Rows& rows, const Tensor& from, int64_t from_first, Tensor& to,
              int64_t to_first);
// Elements in a row.
void CopyRange(GpuContext& context, const Tensor& from, int64_t from_first, Tensor& to, int64_t to_first,
               int64_t count);

// Makes an input an output under this shape: itself, or of an alias a copy (rule R31).
void SetUnaliased(GpuContext& context, int output, const Tensor& x, const Shape& shape);

// Which pieces along the first axis share the memory of the whole (rule R31): those of Split, SplitV and Unpack, and
// rows [begin, begin + size) of Slice and StridedSlice.
bool SharesRows(const Tensor& tensor);
bool SharesSlice(const Tensor& tensor, int64_t begin, int64_t size);

// How far a step along `axis` of a tensor of this shape is.
int64_t StrideAlong(const Shape& shape, int axis);

}  // namespace plumb::fast::GPU_NAMESPACE
