#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes RaggedToSparseShapes(const ShapeContext& c) {
  const auto ragged_rank = static_cast<int>(c.attr<int64_t>("RAGGED_RANK"));
  const PartialShape& values = WithRankAtLeast(c, ragged_rank, 1);
  for (int i = 0; i < ragged_rank; ++i) WithRank(c, i, 1);
  int64_t rank = -1, count = -1;
  if (values.has_rank()) {
    rank = values.rank() + ragged_rank;
    count = 1;
    for (const int64_t dim : values.dims()) count = MultiplySizes(c, count, dim);
  }
  return {PartialShape{count, rank}, PartialShape{count}, PartialShape{rank}};
}

Values RaggedToSparseGradient(Gradient& g) {
  Values gradients(static_cast<size_t>(g.num_inputs()));
  const Endpoint values = g.x(g.num_inputs() - 1);
  gradients.back() = g.Call("Reshape", {g.dy(1), g.ShapeOf(values)});
  return gradients;
}

}  // namespace

std::span<const OpRow> RaggedToSparse() {
  static const OpRow rows[] = {
      {.signature = "RaggedTensorToSparse(rt_nested_splits: Tsplits*RAGGED_RANK, rt_dense_values: T) -> "
                    "(sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64)",
       .attrs = "RAGGED_RANK: int >= 1; T: type; Tsplits: type = int64 in [int32, int64]",
       .doc = "A ragged tensor as a sparse one: each value with its coordinates, in a shape that holds the longest "
              "rows.",
       .shape_fn = RaggedToSparseShapes,
       .gradient = RaggedToSparseGradient,
       .samples = {"RAGGED_RANK=1: ({0, 2, 2, 5}) [5 k]", "RAGGED_RANK=1: ({0}) [0]", "RAGGED_RANK=1: ({0, n}) [n]",
                   "RAGGED_RANK=2: ({0, 2, 2, 3} {0, 1, 1, 4}) [4]",
                   "RAGGED_RANK=3: ({0, 1, 3} {0, 2, 2, 2} {0, 3, 4}) [4 2 j]"}},
  };
  return rows;
}

}  // namespace plumb::topics
