// Shapes of what is read from a checkpoint, as far as the request says them.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// By input `i`, which has a text for each output: that of the slice, or nothing is known.
Shapes RestoredShapes(const ShapeContext& c, int i);

}  // namespace plumb::topics
