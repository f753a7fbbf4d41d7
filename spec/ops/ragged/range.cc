#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes RaggedRangeShapes(const ShapeContext& c) {
  int64_t rows = -1;
  int scalars = 0;
  for (int i = 0; i < 3; ++i) {
    const PartialShape& input = WithRankAtMost(c, i, 1);
    if (!input.has_rank()) continue;
    if (input.rank() == 1) {
      rows = MergeDims(c, rows, input.dim(0));
    } else {
      ++scalars;
    }
  }
  if (scalars == 3) rows = 1;
  return {PartialShape{AddSizes(rows, 1)}, PartialShape::OfRank(1)};
}

}  // namespace

std::span<const OpRow> RaggedRange() {
  static const OpRow rows[] = {
      {.signature = "RaggedRange(starts: T, limits: T, deltas: T) -> (rt_nested_splits: Tsplits, rt_dense_values: T)",
       .attrs = "T: type = int32 in [bfloat16, float32, float64, int32, int64]; Tsplits: type = int64 in [int32, "
                "int64]",
       .doc = "A row of numbers start, start + delta, … below limit (above it for a negative delta) for each start, "
              "limit and delta, of which scalars serve all rows. A delta of 0 is an error; a limit on the wrong side "
              "gives an empty row.",
       .cpu = "T in [float32, float64, int32, int64]",
       .shape_fn = RaggedRangeShapes,
       .accuracy = Composed(1),
       .gradient = BlocksGradient(),
       .samples = {"{0, 5, 3} {4, 5, 9} {1, 1, 2}", "0 {3, 0, 2} 1", "{2, -1} -7 -3", "1 6 2", "{4, 1} {2, 3} 1",
                   "[0] [0] 1", "[n] in -4..3 [n] in -2..9 2"}},
  };
  return rows;
}

}  // namespace plumb::topics
