// Which slices of a target ScatterNd and its like update.
#pragma once

#include "spec/core/shape.h"

namespace plumb::fast {

// How many coordinates name a slice; indices that are a vector name slices by one coordinate each. Throws
// kInvalidArgument where `updates` are not slices of the target, one for each index.
int CoordinatesOfSlices(const Shape& target, const Shape& indices, const Shape& updates);

// Throws kInvalidArgument for indices that are a vector, if there is anything to update.
void RequireMatrixOfCoordinates(const Shape& target, const Shape& indices, const Shape& updates);

}  // namespace plumb::fast
