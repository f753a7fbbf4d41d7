// Broadcasting of two shapes, as numpy does it: axes aligned at the right, an axis of 1 repeats.
#pragma once

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

// Two operands and their result as nested loops over few axes: axes of 1 are gone, and neighbours that both operands
// walk through alike are one. Strides count elements; 0 repeats.
struct BroadcastPlan {
  Shape result;
  int rank = 0;  // of the loops; >= 1
  int64_t size[kMaxRank + 1];
  int64_t x_stride[kMaxRank + 1];
  int64_t y_stride[kMaxRank + 1];

  int64_t inner() const { return size[rank - 1]; }
  // Iterations of all loops but the innermost.
  int64_t outer() const {
    int64_t product = 1;
    for (int axis = 0; axis + 1 < rank; ++axis) product *= size[axis];
    return product;
  }
};

// False when the shapes cannot be broadcast together.
bool MakeBroadcastPlan(const Shape& x, const Shape& y, BroadcastPlan& plan);

// Walks the outer loops of a plan, row by row.
class RowCursor {
 public:
  RowCursor(const BroadcastPlan& plan, int64_t row);
  int64_t x() const { return x_; }
  int64_t y() const { return y_; }
  void Next();

 private:
  const BroadcastPlan& plan_;
  int64_t x_ = 0;
  int64_t y_ = 0;
  int64_t index_[kMaxRank + 1];
};

}  // namespace plumb::fast::cpu
