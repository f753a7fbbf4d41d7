// Slices that rows of indices name: each row is a position in the first dimensions of a shape (rules R24, R44).
#pragma once

#include <algorithm>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// The slices are numbered in row-major order. An index without numbers names nothing.
inline std::vector<int64_t> SlicesNamed(const Tensor& indices, int64_t depth, const Shape& shape) {
  const Array<Integer> numbers = Load<Integer>(indices);
  std::vector<int64_t> slices;
  for (size_t i = 0; i + static_cast<size_t>(std::max<int64_t>(depth, 1)) <= numbers.at.size();) {
    int64_t slice = 0;
    for (int axis = 0; axis < depth; ++axis, ++i) {
      const auto index = static_cast<int64_t>(numbers.at[i]);
      if (index < 0 || index >= shape.dim(axis)) {
        throw InvalidArgument("index ", slices.size(), " says ", index, ", which is not in [0, ", shape.dim(axis),
                              ") of dimension ", axis, " of shape ", shape.ToString());
      }
      slice = slice * shape.dim(axis) + index;
    }
    slices.push_back(slice);
  }
  return slices;
}

}  // namespace plumb::reference
