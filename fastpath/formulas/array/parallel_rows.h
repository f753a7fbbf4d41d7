// The shapes of ParallelConcat's result, and of its values, which are rows of it.
#pragma once

#include <string>

#include "spec/graph/graph.h"

namespace plumb::fast {

struct ParallelRows {
  // Throws kInvalidArgument for a shape that is not known, or has fewer rows than there are values.
  explicit ParallelRows(const Node& node);
  // Throws kInvalidArgument for value `i` of another shape than a row's.
  void RequireRow(int i, const Shape& value) const;

  Shape whole, row;
};

}  // namespace plumb::fast
