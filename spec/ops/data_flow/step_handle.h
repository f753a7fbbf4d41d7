// Handles of objects that live for one step.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// TensorFlow declares these handles as vectors of two strings, as they once were, and refuses all else; the handle
// that is there in the run is a scalar, which has to pass.
inline void RequireStepHandle(const ShapeContext& c, int i) {
  const PartialShape& handle = c.input(i);
  if (!handle.has_rank() || handle.rank() > 0) RequirePair(c, i);
}

}  // namespace plumb::topics
