// Ways through tensors whose axes repeat, are reordered, or are walked in steps: for each element of a result, where
// its operands' elements lie.
#pragma once

#include "gpu_language.h"
#include "spec/core/shape.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int kMostAxes = 16;

// A number to divide by, again and again: by a product and a shift, since cards have no instruction that divides.
struct Divisor {
  uint32_t number = 1, factor = 1;
  int shift = 0;

  Divisor() = default;
  // 1 to 2^31 - 1.
  explicit Divisor(uint32_t number);

  // Of a number below 2^31, rounded down.
  PLUMB_GPU_WORD uint32_t Quotient(uint32_t of) const {
    return (static_cast<uint32_t>(static_cast<uint64_t>(of) * factor >> 32) + of) >> shift;
  }
};

// Where both operands stand.
struct WalkPlaces {
  int64_t first = 0, second = 0;
};

// Axes of a result, outermost first, and how far each takes an operand. Neighbours that both operands walk alike are
// one axis, and axes of 1 are gone.
struct Walk {
  int rank = 0;
  bool is_short = true;  // whether it has less than 2^31 elements
  int64_t size[kMostAxes] = {};
  int64_t stride[2][kMostAxes] = {};
  Divisor by[kMostAxes];  // the sizes again, where it is short

  // Where operand `which` stands at element i of the result.
  PLUMB_GPU_WORD int64_t At(int which, int64_t i) const {
    int64_t place = 0;
    PLUMB_GPU_ROLLED
    for (int axis = rank - 1; axis > 0; --axis) {
      const int64_t rest = Divided(axis, i);
      place += (i - rest * size[axis]) * stride[which][axis];
      i = rest;
    }
    return rank == 0 ? 0 : place + i * stride[which][0];
  }
  PLUMB_GPU_WORD WalkPlaces BothAt(int64_t i) const {
    WalkPlaces places;
    PLUMB_GPU_ROLLED
    for (int axis = rank - 1; axis > 0; --axis) {
      const int64_t rest = Divided(axis, i), digit = i - rest * size[axis];
      places.first += digit * stride[0][axis];
      places.second += digit * stride[1][axis];
      i = rest;
    }
    return rank == 0 ? places : WalkPlaces{places.first + i * stride[0][0], places.second + i * stride[1][0]};
  }
  // Whether runs of n elements of the result, from multiples of n on, lie along the inmost axis, and are runs that
  // begin at a multiple of n in operand `which` too, or one element of it.
  bool GoesInRuns(int which, int n) const;
  // In a walk that goes in runs: whether a run is one element of the operand.
  PLUMB_GPU_WORD bool Repeats(int which) const { return rank == 0 || stride[which][rank - 1] == 0; }

 private:
  PLUMB_GPU_WORD int64_t Divided(int axis, int64_t i) const {
    return is_short ? by[axis].Quotient(static_cast<uint32_t>(i)) : i / size[axis];
  }
};

// Adds an axis inside of those that are there.
void AddAxis(Walk& walk, int64_t size, int64_t first_stride, int64_t second_stride);

// Both operands broadcast to `result`, whose shape theirs allow.
Walk BroadcastWalk(const Shape& x, const Shape& y, const Shape& result);

}  // namespace plumb::fast::GPU_NAMESPACE
