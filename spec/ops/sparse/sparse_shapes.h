// What the shape rules of ops on sparse tensors share.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// The rank of a sparse tensor in three inputs, indices [n, rank], values [n] and shape [rank]; -1 where it is unknown.
inline int64_t SparseRank(const ShapeContext& c, int indices, int values, int shape) {
  const PartialShape at = WithRank(c, indices, 2);
  MergeDims(c, at.dim(0), WithRank(c, values, 1).dim(0));
  return MergeDims(c, at.dim(1), WithRank(c, shape, 1).dim(0));
}

// The same three inputs of ops that leave to their kernels whether the sizes fit each other.
inline void RequireSparseRanks(const ShapeContext& c, int indices, int values, int shape) {
  WithRank(c, indices, 2);
  WithRank(c, values, 1);
  WithRank(c, shape, 1);
}

}  // namespace plumb::topics
