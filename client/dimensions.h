// Sizes and axes of values, known or not.
#pragma once

#include "client/scope.h"

namespace plumb {

// The size of an axis as an int32 scalar: a constant where it is known.
Output DimensionOf(Scope& scope, Output value, int axis);
// A vector of all elements.
Output Flat(Scope& scope, Output value);
// Of all elements, whether the rank is known or not.
Output SumOfAll(Scope& scope, Output value);

}  // namespace plumb
