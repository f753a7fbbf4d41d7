// The shape of tensors joined along an axis.
#pragma once

#include <algorithm>
#include <span>

#include "spec/core/tensor.h"

namespace plumb::fast {

// Of the shapes shape_of(first) to shape_of(last), inputs of the same number. Throws kInvalidArgument unless they agree
// in all axes but `axis`, which is one of shape_of(first)'s.
template <class F>
Shape JoinedShape(int first, int last, int axis, const F& shape_of) {
  const Shape& model = shape_of(first);
  int64_t size = 0;
  for (int i = first; i <= last; ++i) {
    const Shape& shape = shape_of(i);
    Require(shape.rank() == model.rank(), "input ", i, " has the shape ", shape.ToString(),
            ", which differs in rank from ", model.ToString());
    for (int other = 0; other < model.rank(); ++other) {
      Require(other == axis || shape[other] == model[other], "input ", i, " has the shape ", shape.ToString(),
              ", which differs from ", model.ToString(), " in dimension ", other);
    }
    Require(!__builtin_add_overflow(size, shape[axis], &size), "the concatenated dimension is too large");
  }
  int64_t dims[kMaxRank];
  std::copy(model.dims().begin(), model.dims().end(), dims);
  dims[axis] = size;
  return Shape(std::span<const int64_t>(dims, static_cast<size_t>(model.rank())));
}

}  // namespace plumb::fast
