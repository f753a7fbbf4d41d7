#include "fastpath/gpu/lib/walk.h"

#include <bit>
#include <limits>
#include <optional>

#include "fastpath/gpu/lib/axes.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// How far a step along an axis of the result takes an operand; 0 where it repeats.
int64_t StrideOf(const Shape& operand, int rank, int axis) {
  const int own = axis - (rank - operand.rank());
  if (own < 0 || operand[own] == 1) return 0;
  return ElementsIn(operand, own + 1, operand.rank());
}

constexpr int64_t kLongestShort = std::numeric_limits<int32_t>::max();

// Sizes that a walk has got: it is to know them as divisors, too.
void SetDivisors(Walk& walk) {
  std::optional<int64_t> elements = 1;
  for (int axis = 0; axis < walk.rank && elements; ++axis) elements = CheckedMultiply(*elements, walk.size[axis]);
  walk.is_short = elements && *elements <= kLongestShort;
  for (int axis = 0; axis < walk.rank && walk.is_short; ++axis) {
    if (walk.size[axis] > 0) walk.by[axis] = Divisor(static_cast<uint32_t>(walk.size[axis]));
  }
}

}  // namespace

// With 2^shift ≥ number > 2^(shift−1), (2^32 + factor)/2^(32+shift) is 1/number and so little more that the quotient of
// what is below 2^31 is exact (Granlund and Montgomery, 1994). The sum in Quotient stays below 2^32.
Divisor::Divisor(uint32_t number) : number(number), shift(static_cast<int>(std::bit_width(number - 1))) {
  factor = static_cast<uint32_t>((uint64_t{1} << 32) * ((uint64_t{1} << shift) - number) / number + 1);
}

bool Walk::GoesInRuns(int which, int n) const {
  if (rank == 0) return false;
  const int inmost = rank - 1;
  if (stride[which][inmost] < 0 || stride[which][inmost] > 1) return false;
  if (rank == 1) return true;
  if (size[inmost] % n != 0) return false;
  for (int axis = 0; axis < inmost && !Repeats(which); ++axis) {
    if (stride[which][axis] % n != 0) return false;
  }
  return true;
}

void AddAxis(Walk& walk, int64_t size, int64_t first_stride, int64_t second_stride) {
  if (size == 1) return;
  if (walk.rank > 0) {
    const int last = walk.rank - 1;
    if (walk.stride[0][last] == first_stride * size && walk.stride[1][last] == second_stride * size) {
      walk.size[last] *= size;
      walk.stride[0][last] = first_stride;
      walk.stride[1][last] = second_stride;
      return SetDivisors(walk);
    }
  }
  if (walk.rank == kMostAxes) {
    throw Error(Code::kUnimplemented, Str("a GPU walks through at most ", kMostAxes, " axes"));
  }
  walk.size[walk.rank] = size;
  walk.stride[0][walk.rank] = first_stride;
  walk.stride[1][walk.rank] = second_stride;
  ++walk.rank;
  SetDivisors(walk);
}

Walk BroadcastWalk(const Shape& x, const Shape& y, const Shape& result) {
  Walk walk;
  for (int axis = 0; axis < result.rank(); ++axis) {
    AddAxis(walk, result[axis], StrideOf(x, result.rank(), axis), StrideOf(y, result.rank(), axis));
  }
  return walk;
}

}  // namespace plumb::fast::GPU_NAMESPACE
