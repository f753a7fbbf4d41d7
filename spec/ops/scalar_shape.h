// Inputs that are a shape, or the scalar -1 for a shape of unknown rank.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// TensorFlow takes a scalar for such an input only where it is known to be -1 before the run.
inline void RequireShapeOrUnknown(const ShapeContext& c, int i) {
  const PartialShape shape = WithRankAtMost(c, i, 1);
  if (!shape.has_rank() || shape.rank() == 1) return;
  const auto value = ConstantInt(c, i);
  Require(value.has_value(), InputName(c, i), " is a scalar, which must be known to be -1 before the run");
  Require(*value == -1, InputName(c, i), " must be a vector, or the scalar -1, not ", *value);
}

}  // namespace plumb::topics
