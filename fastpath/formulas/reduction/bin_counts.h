// Numbers that are counted in bins: what the inputs of Bincount and DenseBincount must be, and the sizes that they say.
#pragma once

#include "spec/core/tensor.h"

namespace plumb::fast {

struct BinCounts {
  int64_t rows = 1;  // of numbers, each with bins of its own
  int64_t size = 0;  // how many bins a row has
  Shape shape;       // of the bins
};

// `size` lies on the host. kInvalidArgument where the inputs do not fit; the numbers are left to devices.
BinCounts BinCountsOf(const Shape& numbers, const Tensor& size, const Shape& weights, bool is_dense);

}  // namespace plumb::fast
