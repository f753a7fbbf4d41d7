// Row splits: where the rows of a ragged axis begin and end.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {

// At least one number, none below the one before it, as int64. All dimensions are read as one.
inline std::vector<int64_t> SplitsOf(const Tensor& tensor) {
  Require(tensor.rank() >= 1 && tensor.elements() > 0, "splits must be a vector that is not empty, not ",
          Printed(tensor.shape()));
  std::vector<int64_t> splits = ToInt64s(tensor);
  for (size_t row = 1; row < splits.size(); ++row) {
    Require(splits[row] >= splits[row - 1], "splits must not decrease, as from ", splits[row - 1], " to ", splits[row]);
  }
  return splits;
}
// Splits that only a vector may hold.
inline std::vector<int64_t> VectorSplitsOf(const Tensor& tensor) {
  Require(tensor.rank() == 1, "splits must be a vector, not ", Printed(tensor.shape()));
  return SplitsOf(tensor);
}
// Splits of which there are as many as the first dimension says.
inline std::vector<int64_t> ColumnOfSplits(const Tensor& tensor) {
  Require(tensor.rank() >= 1 && tensor.dim(0) == tensor.elements(), "splits must be a vector or one column, not ",
          Printed(tensor.shape()));
  return SplitsOf(tensor);
}
inline int64_t RowsIn(const std::vector<int64_t>& splits) { return static_cast<int64_t>(splits.size()) - 1; }

// The rows of the values, of rank 1 at least, and the elements in one.
inline int64_t RowsOfValues(const Tensor& values) {
  Require(values.rank() >= 1, "the values must be a vector at least");
  return values.dim(0);
}
inline int64_t RowElements(const Tensor& values) { return ElementsIn(values.shape(), 1, values.rank()); }

}  // namespace plumb::fast::cpu
