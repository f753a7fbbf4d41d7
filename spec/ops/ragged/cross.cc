#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes RaggedCrossShapes(const ShapeContext& c) {
  const auto count = [&](const char* types) { return static_cast<int>(c.attr<std::vector<DType>>(types).size()); };
  const int ragged = count("ragged_values_types"), sparse = static_cast<int>(c.attr<int64_t>("Nsparse"));
  const int values = count("sparse_values_types"), dense = count("dense_types");
  const auto splits = static_cast<size_t>(count("ragged_splits_types"));
  Require(splits == static_cast<size_t>(ragged), "RaggedCross has ", ragged, " ragged values and ", splits, " splits");
  Require(sparse == values, "RaggedCross has ", sparse, " sparse indices and ", values, " sparse values");
  int64_t rows = -1;
  for (int i = 0; i < ragged; ++i) {
    const int64_t ends = WithRank(c, ragged + i, 1).dim(0);
    if (ends >= 0) rows = MergeDims(c, rows, SubtractSizes(c, ends, 1));
  }
  const int first_shape = 2 * (ragged + sparse), first_dense = first_shape + sparse;
  for (int i = 0; i < dense; ++i) rows = MergeDims(c, rows, WithRank(c, first_dense + i, 2).dim(0));
  // Sparse inputs are the kernel's to look at: they tell their rows where nothing else does.
  for (int i = 0; i < sparse && rows < 0; ++i) {
    const auto shape = ConstantInts(c, first_shape + i);
    if (shape && !shape->empty()) rows = std::max<int64_t>(shape->front(), -1);
  }
  if (ragged + sparse + dense == 0) rows = 0;
  return {PartialShape::OfRank(1), PartialShape{AddSizes(rows, 1)}};
}

}  // namespace

std::span<const OpRow> RaggedCross() {
  static const OpRow rows[] = {
      {.signature = "RaggedCross(ragged_values: list(ragged_values_types), ragged_row_splits: "
                    "list(ragged_splits_types), sparse_indices: int64*Nsparse, sparse_values: "
                    "list(sparse_values_types), sparse_shape: int64*Nsparse, dense_inputs: list(dense_types)) -> "
                    "(output_values: out_values_type, output_row_splits: out_row_splits_type)",
       .attrs = "Nsparse: int >= 0; input_order: string; hashed_output: bool; num_buckets: int >= 0; hash_key: int; "
                "ragged_values_types: list(type) >= 0 in [int64, string]; ragged_splits_types: list(type) >= 0 in "
                "[int32, int64]; sparse_values_types: list(type) >= 0 in [int64, string]; dense_types: list(type) >= 0 "
                "in [int64, string]; out_values_type: type in [int64, string]; out_row_splits_type: type in [int32, "
                "int64]",
       .doc = "All combinations of one element from each input, row by row, in the order that input_order names: R, S "
              "or D for the next ragged, sparse or dense input. They are joined by '_X_', or, for out_values_type "
              "int64, hashed as by SparseCross. The last input varies fastest.",
       .shape_fn = RaggedCrossShapes,
       .samples =
           {"Nsparse=0 input_order='R' hashed_output=false num_buckets=0 hash_key=1 ragged_values_types=[string] "
            "ragged_splits_types=[int64] sparse_values_types=[] dense_types=[] out_values_type in [string]: "
            "([4]) ({0, 2, 2, 4}) () () () ()",
            "Nsparse=1 input_order='RSD' hashed_output=false num_buckets=0 hash_key=1 "
            "ragged_values_types=[int64] ragged_splits_types=[int32] sparse_values_types=[string] "
            "dense_types=[string] out_values_type in [string]: ([4]) ({0, 2, 3, 4}) ({{0, 0}, {0, 1}, {2, 0}}) "
            "([3]) ({3, 2}) ([3 2])",
            "Nsparse=1 input_order='DSR' hashed_output=true num_buckets=0/7 hash_key=5 "
            "ragged_values_types=[string] ragged_splits_types=[int64] sparse_values_types=[int64] "
            "dense_types=[int64] out_values_type in [int64]: ([4]) ({0, 2, 3, 4}) ({{0, 0}, {0, 1}, {2, 0}}) "
            "([3]) ({3, 2}) ([3 2])",
            "Nsparse=0 input_order='RDR' hashed_output=true num_buckets=0/9 hash_key=-3 "
            "ragged_values_types=[int64, string] ragged_splits_types=[int32, int64] sparse_values_types=[] "
            "dense_types=[string] out_values_type in [int64]: ([3] [5]) ({0, 1, 3} {0, 0, 5}) () () () ([2 b])"}},
  };
  return rows;
}

}  // namespace plumb::topics
