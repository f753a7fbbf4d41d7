// Ways through tensors whose axes repeat, are reordered, or are walked in steps: for each element of a result, where
// its operands' elements lie.
#pragma once

#include "gpu_language.h"
#include "spec/core/shape.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int kMostAxes = 16;

// Axes of a result, outermost first, and how far each takes an operand. Neighbours that both operands walk alike are
// one axis, and axes of 1 are gone.
struct Walk {
  int rank = 0;
  int64_t size[kMostAxes] = {};
  int64_t stride[2][kMostAxes] = {};

  // Where operand `which` stands at element i of the result.
  PLUMB_GPU_WORD int64_t At(int which, int64_t i) const {
    int64_t place = 0;
    for (int axis = rank - 1; axis > 0; --axis) {
      place += i % size[axis] * stride[which][axis];
      i /= size[axis];
    }
    return rank == 0 ? 0 : place + i * stride[which][0];
  }
};

// Adds an axis inside of those that are there.
void AddAxis(Walk& walk, int64_t size, int64_t first_stride, int64_t second_stride);

// Both operands broadcast to `result`, whose shape theirs allow.
Walk BroadcastWalk(const Shape& x, const Shape& y, const Shape& result);

}  // namespace plumb::fast::GPU_NAMESPACE
