#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// A column for each index; the kernel refuses indices that are neither a scalar nor a vector.
Shapes UnravelIndexShapes(const ShapeContext& c) {
  const PartialShape dims = WithRank(c, 1, 1);
  const PartialShape& indices = c.input(0);
  if (!indices.has_rank() || indices.rank() <= 1) return {Join(dims, indices)};
  const int64_t columns = indices.IsFullyDefined() ? indices.ToShape().elements() : -1;
  return {Join(dims, PartialShape{columns})};
}

}  // namespace

std::span<const OpRow> ArrayUnravelIndex() {
  static const OpRow rows[] = {
      {.signature = "UnravelIndex(indices: Tidx, dims: Tidx) -> (output: Tidx)",
       .attrs = "Tidx: type = int32 in [int32, int64]",
       .doc = "The coordinates of elements of a row-major array of shape `dims`: a row for each dimension. An index "
              "beyond "
              "the array is an error.",
       .shape_fn = UnravelIndexShapes,
       .samples = {"[n] in 0..24 {2, 3, 4}", "[] in 0..7 {7}", "[n] in 0..15 {5, 1, 3}"}},
  };
  return rows;
}

}  // namespace plumb::topics
