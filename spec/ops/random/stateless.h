// What the rows of stateless random ops share: inputs that say key, counter and algorithm of the generator.
#pragma once

#include <vector>

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

inline constexpr const char* kStatelessAttrs =
    "dtype: type = float32 in [floats]; Tshape: type = int32 in [int32, int64]";

// The shape that input 0 describes; input 1 is a key [1], input 2 a vector, all others are scalars.
Shapes OfKeyAndCounter(const ShapeContext& c);

std::vector<const char*> StatelessSamples();

// The same for ops that take two seeds.
inline constexpr const char* kSeededAttrs =
    "dtype: type = float32 in [floats]; T: type = int32 in [int32, int64]; Tseed: type = int64 in [int32, int64]";

// The shape that input 0 describes; input 1 is a pair of seeds, all others are scalars.
Shapes OfSeeds(const ShapeContext& c);

std::vector<const char*> SeededSamples();

}  // namespace plumb::topics
