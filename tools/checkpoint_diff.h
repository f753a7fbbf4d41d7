// What two checkpoints differ in.
#pragma once

#include <string>
#include <vector>

#include "spec/checkpoint/listing.h"
#include "spec/core/tensor.h"

namespace plumb::tools {

// The elements of a tensor of a checkpoint, put together where it is stored in parts.
Tensor ReadStored(const std::string& prefix, const StoredTensor& tensor);

struct CheckpointDifferences {
  std::vector<std::string> lines;
  bool is_whole = true;  // false where a tensor could not be read; its line says why
};

// A line for each tensor that is in one of them only, or of another type or shape, or has other elements, by name:
// "w: float32[2]: 1 of 2 elements differ, the most by 0.5". Bits are compared. Empty: nothing differs. What stands
// beside the variables (spec/checkpoint/reserved.h) is compared where `all` is asked for.
CheckpointDifferences DiffCheckpoints(const std::string& a, const std::string& b, bool all = false);

}  // namespace plumb::tools
