// What CheckNumerics says of elements that are no finite numbers.
#pragma once

#include <string>

#include "spec/core/status.h"

namespace plumb::fast {

// Kinds of such elements, to be joined.
enum NotFinite { kNan = 1, kBelowAll = 2, kAboveAll = 4 };

// kInvalidArgument, for those that were found. `tells_signs`: whether infinities are told apart.
Status NotFiniteStatus(const std::string& message, int found, bool tells_signs);

}  // namespace plumb::fast
