// Which pieces along the first axis are handed on as parts of the tensor's own buffer (rule R31). Whatever the tensor
// is, that saves a copy; of a variable's alias such a piece shows later writes, so the rule is kept to the letter.
#pragma once

#include "spec/core/tensor.h"

namespace plumb::fast::cpu {

// Of Split, SplitV and Unpack.
bool SharesRows(const Tensor& tensor);
// Of Slice and StridedSlice: rows [begin, begin + size).
bool SharesSlice(const Tensor& tensor, int64_t begin, int64_t size);

}  // namespace plumb::fast::cpu
