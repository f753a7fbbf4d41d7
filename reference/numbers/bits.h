// The bytes of a value read as elements of another type.
#pragma once

#include "reference/numbers/value.h"

namespace plumb::reference {

// As many elements of `type` as the shape has, of the bytes that begin `first` of them into the value. Where a number
// of the value is not certain, nothing is known of floating-point numbers read out of it.
Value BitsAs(const Value& value, int64_t first, DType type, const Shape& shape);

}  // namespace plumb::reference
