// What the rows of ops share that draw with a generator which a variable keeps (rule R88).
#pragma once

#include <vector>

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

inline constexpr const char* kStoredAttrs = "dtype: type = float32; shape_dtype: type = int64";

// The shape that input 2 describes; the algorithm, input 1, and all that follows are scalars.
Shapes OfStoredGenerator(const ShapeContext& c);

// For ops with the inputs resource, algorithm and shape.
std::vector<const char*> StoredSamples();

}  // namespace plumb::topics
