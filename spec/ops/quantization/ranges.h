// Ranges beside quantised tensors: two scalars, or two vectors with an entry for each slice along an axis.
#pragma once

#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// Inputs `first` to `last`, which must be scalars.
inline void RequireScalars(const ShapeContext& c, int first, int last) {
  for (int i = first; i <= last; ++i) RequireScalar(c, i);
}
// What an op gives whose output carries a range of its own.
inline Shapes WithScalarRange(PartialShape output) {
  return {std::move(output), PartialShape(Shape()), PartialShape(Shape())};
}

// The range in inputs `min` and `min` + 1 of input 0, by the attribute `axis`, whose shape is given back: scalars where
// the axis is -1.
inline PartialShape RangeAlongAxis(const ShapeContext& c, int min) {
  const int64_t axis = Int32Attr(c.attrs(), "axis");
  Require(axis >= -1, c.op().name, ": axis must be at least -1, not ", axis);
  if (axis < 0) {
    RequireScalars(c, min, min + 1);
    return PartialShape(Shape());
  }
  WithRank(c, min, 1);
  const int64_t slices = WithRank(c, min + 1, 1).dim(0);
  const PartialShape& input = WithRankAtLeast(c, 0, axis + 1);
  return {input.has_rank() ? MergeDims(c, slices, input.dim(static_cast<int>(axis))) : slices};
}

}  // namespace plumb::topics
