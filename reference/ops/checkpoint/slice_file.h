// Tensors of checkpoints of the first format (rules Z51, Z52).
#pragma once

#include <string>

#include "spec/core/tensor.h"

namespace plumb::reference {

// A tensor of the files that match, or the part of it that the text says.
Tensor RestoreFromSliceFile(const std::string& pattern, const std::string& name, const std::string& shape_and_slice,
                            DType dtype);

}  // namespace plumb::reference
