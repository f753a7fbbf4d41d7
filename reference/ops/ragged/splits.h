// Row splits: where the rows of a ragged axis begin and end.
#pragma once

#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// Input `i` as splits: a vector of at least one number, none below the one before it.
inline std::vector<int64_t> SplitsOf(const OpContext& c, int i) {
  Require(c.tensor(i).rank() == 1 && c.tensor(i).elements() > 0, "splits must be a vector that is not empty, not ",
          c.tensor(i).shape().ToString());
  std::vector<int64_t> splits = ToInt64s(c.tensor(i));
  for (size_t row = 1; row < splits.size(); ++row) {
    Require(splits[row] >= splits[row - 1], "splits must not decrease, as from ", splits[row - 1], " to ", splits[row]);
  }
  return splits;
}
inline int64_t RowsIn(const std::vector<int64_t>& splits) { return std::ssize(splits) - 1; }

// The rows of a tensor, of rank 1 at least.
inline int64_t RowsOfValues(const Tensor& values) {
  Require(values.rank() >= 1, "the values must be a vector at least");
  return values.dim(0);
}

}  // namespace plumb::reference
