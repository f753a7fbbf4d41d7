// What the shape rules of ops that change slices of a tensor or a variable share.
#pragma once

#include <algorithm>

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// How many elements are known to be there, -1 where that is open; none where one dimension is zero, whatever the
// others.
inline int64_t KnownElements(const PartialShape& shape) {
  if (!shape.has_rank()) return -1;
  int64_t elements = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t dim = shape.dim(axis);
    if (dim == 0) return 0;
    elements = dim < 0 || elements < 0 || __builtin_mul_overflow(elements, dim, &elements) ? -1 : elements;
  }
  return elements;
}

// The last dimension of `indices` says how many dimensions of the target an index names; updates have the others behind
// those of the indices. Updates that are a scalar, and more coordinates than the target has dimensions, are the
// kernel's to refuse.
inline void RequireSlicesFit(const ShapeContext& c, const PartialShape& target, const PartialShape& indices,
                             const PartialShape& updates) {
  const bool changes = KnownElements(indices) > 0 || KnownElements(updates) > 0;
  Require(!changes || KnownElements(target) != 0, c.op().name, ": the shape ", target.ToString(),
          " has no place for updates");
  if (!indices.has_rank() || !updates.has_rank() || updates.rank() == 0) return;
  const int rows = indices.rank() - 1;
  const int64_t depth = indices.dim(rows);
  if (depth < 0) return;
  Require(updates.rank() >= rows, c.op().name, ": updates of shape ", updates.ToString(),
          " do not begin with the dimensions of the indices ", indices.ToString());
  MergeShapes(c, Part(indices, 0, rows), Part(updates, 0, rows));
  if (!target.has_rank()) return;
  const auto named = static_cast<int>(std::min<int64_t>(depth, target.rank()));
  MergeShapes(c, Part(updates, rows), Part(target, named));
}

}  // namespace plumb::topics
