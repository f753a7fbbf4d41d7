// Slices of a tensor named by their first coordinates.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {

// As many coordinates as an index may have (T9).
constexpr int64_t kMaxCoordinates = 7;

// Of coordinates of one type.
template <class Int>
std::vector<int64_t> PlacesIn(const Int* indices, int64_t rows, const Shape& target, int depth) {
  std::vector<int64_t> places(static_cast<size_t>(rows));
  int64_t sizes[kMaxCoordinates];
  for (int axis = 0; axis < depth; ++axis) sizes[axis] = target[axis];
  for (int64_t& to : places) {
    int64_t place = 0;
    for (int axis = 0; axis < depth; ++axis) {
      const int64_t at = *indices++;
      if (at < 0 || at >= sizes[axis]) [[unlikely]] {
        throw InvalidArgument("coordinate ", axis, " of index ", &to - places.data(), " is ", at,
                              ", which is not in [0, ", sizes[axis], ")");
      }
      place = place * sizes[axis] + at;
    }
    to = place;
  }
  return places;
}

// The rows of `depth` coordinates in `indices` as places in a row-major array of the first `depth` dimensions of
// `target`, which has elements. kInvalidArgument where one lies outside.
inline std::vector<int64_t> PlacesOf(const Tensor& indices, int64_t rows, const Shape& target, int depth) {
  return VisitOneOf(Types<int16_t, int32_t, int64_t>(), indices.dtype(), std::vector<int64_t>(), [&](auto tag) {
    return PlacesIn(indices.data<typename decltype(tag)::Type>().data(), rows, target, depth);
  });
}

}  // namespace plumb::fast::cpu
