// Slices that rows of indices name: each row is a position in the first dimensions of a shape (rules R24, R44).
#pragma once

#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {

// `depth` numbers name a slice; slices are numbered in row-major order. kInvalidArgument for a number out of range.
inline std::vector<int64_t> SlicesNamed(const Tensor& indices, int depth, const Shape& shape) {
  if (depth == 0) return {};
  const std::vector<int64_t> numbers = ToInt64s(indices);
  std::vector<int64_t> slices(numbers.size() / static_cast<size_t>(depth));
  const int64_t* number = numbers.data();
  for (int64_t& slice : slices) {
    slice = 0;
    for (int axis = 0; axis < depth; ++axis, ++number) {
      Require(*number >= 0 && *number < shape[axis], "index ", &slice - slices.data(), " says ", *number,
              ", which is not in [0, ", shape[axis], ") of dimension ", axis, " of shape ", Printed(shape));
      slice = slice * shape[axis] + *number;
    }
  }
  return slices;
}

}  // namespace plumb::fast::cpu
