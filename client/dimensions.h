// Sizes of values, known or not.
#pragma once

#include "client/scope.h"

namespace plumb {

// The size of an axis as an int32 scalar: a constant where it is known.
Output DimensionOf(Scope& scope, Output value, int axis);

}  // namespace plumb
