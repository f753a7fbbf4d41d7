// What InplaceUpdate and its like ask of their inputs.
#pragma once

#include "spec/core/shape.h"

namespace plumb::fast {

// Throws kInvalidArgument where `v` does not hold rows of `x`, one for each index.
void RequireRowsOf(const Shape& x, const Shape& indices, const Shape& v);

}  // namespace plumb::fast
