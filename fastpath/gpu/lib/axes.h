// Axes of shapes and numbers on the host, as kernels that move elements read them.
#pragma once

#include <string_view>

#include "spec/core/tensor.h"

namespace plumb::fast::GPU_NAMESPACE {

// An axis, of which negative ones are counted from the end. The row's shape rule has found it in range.
inline int FromFront(int64_t axis, int rank) { return static_cast<int>(axis < 0 ? axis + rank : axis); }

// An axis that may be out of range: throws kInvalidArgument, which calls it `what`.
inline int AxisOf(int64_t axis, int rank, std::string_view what) {
  Require(axis >= -rank && axis < rank, what, " ", axis, " is not in [", -rank, ", ", rank, ")");
  return FromFront(axis, rank);
}

// The product of the axes [begin, end) of a shape.
inline int64_t ElementsIn(const Shape& shape, int begin, int end) {
  uint64_t product = 1;  // it wraps around in a shape that is empty as a whole
  for (int axis = begin; axis < end; ++axis) product *= static_cast<uint64_t>(shape[axis]);
  return static_cast<int64_t>(product);
}

// The one number of a tensor on the host.
inline int64_t NumberIn(const Tensor& tensor) {
  Require(tensor.elements() == 1, "one number is needed, not the shape ", tensor.shape().ToString());
  return ToInt64s(tensor).front();
}

}  // namespace plumb::fast::GPU_NAMESPACE
