// The sizes of the pieces that SplitV cuts a dimension into.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb::fast {

// `sizes` of shape [pieces], with the rest of `total` in the place of a -1. Throws kInvalidArgument where they are not
// as many, do not add up, or name more than one rest; a single piece must say the whole.
std::vector<int64_t> SplitSizes(const Tensor& sizes, int64_t pieces, int64_t total);

}  // namespace plumb::fast
