#include "fastpath/gpu/lib/walk.h"

#include "fastpath/gpu/lib/axes.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// How far a step along an axis of the result takes an operand; 0 where it repeats.
int64_t StrideOf(const Shape& operand, int rank, int axis) {
  const int own = axis - (rank - operand.rank());
  if (own < 0 || operand[own] == 1) return 0;
  return ElementsIn(operand, own + 1, operand.rank());
}

}  // namespace

void AddAxis(Walk& walk, int64_t size, int64_t first_stride, int64_t second_stride) {
  if (size == 1) return;
  if (walk.rank > 0) {
    const int last = walk.rank - 1;
    if (walk.stride[0][last] == first_stride * size && walk.stride[1][last] == second_stride * size) {
      walk.size[last] *= size;
      walk.stride[0][last] = first_stride;
      walk.stride[1][last] = second_stride;
      return;
    }
  }
  if (walk.rank == kMostAxes) {
    throw Error(Code::kUnimplemented, Str("a GPU walks through at most ", kMostAxes, " axes"));
  }
  walk.size[walk.rank] = size;
  walk.stride[0][walk.rank] = first_stride;
  walk.stride[1][walk.rank] = second_stride;
  ++walk.rank;
}

Walk BroadcastWalk(const Shape& x, const Shape& y, const Shape& result) {
  Walk walk;
  for (int axis = 0; axis < result.rank(); ++axis) {
    AddAxis(walk, result[axis], StrideOf(x, result.rank(), axis), StrideOf(y, result.rank(), axis));
  }
  return walk;
}

}  // namespace plumb::fast::GPU_NAMESPACE
