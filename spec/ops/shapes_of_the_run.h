// The shapes of older names of ops, of which TensorFlow's registry says nothing.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// No output is known before the run.
inline Shapes ShapesOfTheRun(const ShapeContext& c) {
  return Shapes(static_cast<size_t>(c.num_outputs()), PartialShape::Unknown());
}

}  // namespace plumb::topics
