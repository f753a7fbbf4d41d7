// Tensors of checkpoints of the first format (rules Z51, Z52).
#pragma once

#include <string>

#include "fastpath/device/kernel.h"
#include "spec/checkpoint/slice_file.h"

namespace plumb::fast::cpu {

// A tensor, or the slice of it that the text says.
Tensor ReadFromSliceFile(ThreadPool& pool, SliceFileReader& reader, const std::string& name,
                         const std::string& shape_and_slice, DType dtype);

}  // namespace plumb::fast::cpu
