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
  const auto require = [&](size_t slice, int axis, int64_t number) {
    Require(number >= 0 && number < shape[axis], "index ", slice, " says ", number, ", which is not in [0, ",
            shape[axis], ") of dimension ", axis, " of shape ", Printed(shape));
  };
  const int64_t* number = numbers.data();
  for (size_t i = 0; i < slices.size(); ++i) {
    int64_t slice = 0;
    for (int axis = 0; axis < depth; ++axis, ++number) {
      const int64_t size = shape[axis];
      if (static_cast<uint64_t>(*number) >= static_cast<uint64_t>(size)) [[unlikely]]
        require(i, axis, *number);
      slice = slice * size + *number;
    }
    slices[i] = slice;
  }
  return slices;
}

}  // namespace plumb::fast::cpu
