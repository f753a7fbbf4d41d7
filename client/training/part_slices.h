// The variables that a tensor is cut into, as graphs of TensorFlow have them: which parts they are, of what.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/core/shape.h"

namespace plumb {

struct PartName {
  std::string whole;
  int64_t number = 0;
};

// "emb/part_1" is part 1 of "emb", and "emb/part_1/Adam" of "emb/Adam". None for the name of a variable that is whole.
std::optional<PartName> ParsePartName(const std::string& name);

// The slices of the whole that parts of these shapes are, in this order along one axis: texts for RestoreV2. None where
// they do not make it up.
std::vector<std::string> SlicesOf(const std::vector<PartialShape>& parts, const Shape& whole);

}  // namespace plumb
