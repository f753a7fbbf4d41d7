// Row splits: where the rows of a ragged axis begin and end.
#pragma once

#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// Input `i` as splits: at least one number, none below the one before it, in a vector or in more dimensions, which
// count for nothing.
inline std::vector<int64_t> SplitsOf(const OpContext& c, int i) {
  Require(c.tensor(i).rank() >= 1 && c.tensor(i).elements() > 0, "splits must be a vector that is not empty, not ",
          c.tensor(i).shape().ToString());
  std::vector<int64_t> splits = ToInt64s(c.tensor(i));
  for (size_t row = 1; row < splits.size(); ++row) {
    Require(splits[row] >= splits[row - 1], "splits must not decrease, as from ", splits[row - 1], " to ", splits[row]);
  }
  return splits;
}
// The same where TensorFlow insists on a vector.
inline std::vector<int64_t> VectorSplitsOf(const OpContext& c, int i) {
  Require(c.tensor(i).rank() == 1, "splits must be a vector, not of shape ", c.tensor(i).shape().ToString());
  return SplitsOf(c, i);
}
// The same where the rows are counted by the first dimension, which all the splits must then lie along.
inline std::vector<int64_t> ColumnOfSplits(const OpContext& c, int i) {
  const Tensor& splits = c.tensor(i);
  Require(splits.rank() >= 1 && splits.dim(0) == splits.elements(),
          "splits must be a vector or one column, not of shape ", splits.shape().ToString());
  return SplitsOf(c, i);
}
// Where rows end that begin at `split` and are `size` more. kInvalidArgument where no int64 counts them: rows without
// elements take no memory.
inline int64_t SplitAfter(int64_t split, int64_t size) {
  int64_t next = 0;
  Require(!__builtin_add_overflow(split, size, &next), "row splits reach beyond int64");
  return next;
}
inline int64_t RowsIn(const std::vector<int64_t>& splits) { return std::ssize(splits) - 1; }

// The rows of a tensor, of rank 1 at least.
inline int64_t RowsOfValues(const Tensor& values) {
  Require(values.rank() >= 1, "the values must be a vector at least");
  return values.dim(0);
}

}  // namespace plumb::reference
