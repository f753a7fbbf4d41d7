#include "fastpath/formulas/reduction/bin_counts.h"

namespace plumb::fast {

BinCounts BinCountsOf(const Shape& numbers, const Tensor& size, const Shape& weights, bool is_dense) {
  Require(size.rank() == 0, "size must be a scalar, not of shape ", size.shape().ToString());
  BinCounts bins;
  bins.size = ToInt64s(size).front();
  Require(bins.size >= 0, "size must not be negative, and is ", bins.size);
  Require(!is_dense || numbers.rank() <= 2, "the input must be a vector or a matrix, not of shape ",
          numbers.ToString());
  const bool fits = is_dense ? weights == numbers : weights.elements() == numbers.elements();
  Require(weights.elements() == 0 || fits, "weights of shape ", weights.ToString(),
          " do not belong to numbers of shape ", numbers.ToString());
  // TensorFlow's kernel leaves the output unset then (rule T5).
  if (is_dense && numbers.rank() == 0) throw Internal("a scalar is neither one row of numbers nor several");
  const bool is_matrix = is_dense && numbers.rank() == 2;
  if (is_matrix) bins.rows = numbers[0];
  bins.shape = is_matrix ? Shape({bins.rows, bins.size}) : Shape({bins.size});
  return bins;
}

}  // namespace plumb::fast
