// Slices of a tensor named by their first coordinates.
#pragma once

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {

// As many coordinates as an index may have (T9).
inline constexpr int kMostCoordinates = 7;

// The dimensions that coordinates go along, and how many elements a slice has.
struct Slices {
  int depth = 0;
  int64_t size[kMostCoordinates] = {};
  int64_t inner = 1;

  // Which slice row `row` of the indices names; -1 where a coordinate lies outside.
  template <class Index>
  PLUMB_GPU_INLINE int64_t At(const Global<const Index>& indices, int64_t row) const {
    int64_t place = 0;
    for (int axis = 0; axis < depth; ++axis) {
      const int64_t at = indices[row * depth + axis];
      if (at < 0 || at >= size[axis]) return -1;
      place = place * size[axis] + at;
    }
    return place;
  }
};

// Throws kInvalidArgument for more coordinates than there may be.
inline Slices SlicesOf(const Shape& target, int64_t depth) {
  Require(depth <= kMostCoordinates, "an index must have at most ", kMostCoordinates, " coordinates, not ", depth);
  Slices slices;
  slices.depth = static_cast<int>(depth);
  for (int axis = 0; axis < target.rank(); ++axis) {
    if (axis < depth) {
      slices.size[axis] = target[axis];
    } else {
      slices.inner *= target[axis];
    }
  }
  return slices;
}

// What a kernel that found a coordinate outside leaves in its slot: the number of the row, plus 1.
inline Refusal OutsideOf(const Shape& target) {
  return [target](int64_t number) {
    return InvalidArgument("index ", number - 1, " names no place in the shape ", target.ToString()).status();
  };
}

// A factory for K<Index>, by the type of an input of indices.
template <template <class> class K, int indices>
std::unique_ptr<GpuKernel> MakeForIndices(const Node& node) {
  return ForType(
      node, node.input_types[indices], TypeList<int32_t, int64_t>(),
      [&](auto tag) -> std::unique_ptr<GpuKernel> { return std::make_unique<K<typename decltype(tag)::Type>>(node); });
}

}  // namespace plumb::fast::GPU_NAMESPACE
