// Batches of matrices that broadcast.
#pragma once

#include <algorithm>
#include <string>

#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {

// The batch dimensions of both operands; kInvalidArgument where they do not match.
inline Shape BroadcastBatch(const Shape& a, const Shape& b) {
  const int rank = std::max(a.rank(), b.rank());
  Dims dims;
  for (int axis = 0; axis < rank; ++axis) {
    const int in_a = axis - (rank - a.rank()), in_b = axis - (rank - b.rank());
    const int64_t x = in_a < 0 ? 1 : a[in_a], y = in_b < 0 ? 1 : b[in_b];
    Require(x == y || x == 1 || y == 1, "the batch dimensions ", Printed(a), " and ", Printed(b), " do not match");
    dims.Append(x == 1 ? y : x);
  }
  return dims.ToShape();
}

// Which matrix of an operand belongs to number i of the broadcast batch.
inline int64_t NumberIn(const Shape& operand, const Shape& batch, int64_t i) {
  int64_t number = 0, stride = 1;
  for (int axis = batch.rank() - 1, own = operand.rank() - 1; own >= 0; --axis, --own) {
    if (operand[own] > 1) number += i % batch[axis] * stride;
    i /= batch[axis];
    stride *= operand[own];
  }
  return number;
}

}  // namespace plumb::fast::cpu
