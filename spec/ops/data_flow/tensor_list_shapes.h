// What the shape rules of ops on tensor lists share.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// The shape that input `i` describes: a vector of dimensions, -1 for one that is open; the scalar -1 for any shape.
// Another scalar is refused, and one of unknown value.
PartialShape ElementShape(const ShapeContext& c, int i);
// The same, where kernels refuse it.
PartialShape ElementShapeIfValid(const ShapeContext& c, int i);

// Why an op on lists does not show its gradient alone.
inline constexpr const char* kListsAreInPrograms =
    "a list has no numbers of its own: recorded programs differentiate it";

}  // namespace plumb::topics
