#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

// A sparse tensor of this rank.
Shapes ResultOfRank(int64_t rank) { return {PartialShape{-1, rank}, PartialShape{-1}, PartialShape{rank}}; }

Shapes DenseToDenseShapes(const ShapeContext& c) {
  const PartialShape& a = WithRankAtLeast(c, 0, 2);
  if (!a.has_rank()) return ResultOfRank(WithRankAtLeast(c, 1, 2).rank());
  const PartialShape b = WithRank(c, 1, a.rank());
  MergeShapes(c, Part(a, 0, a.rank() - 1), Part(b, 0, b.rank() - 1));
  return ResultOfRank(a.rank());
}

Shapes DenseToSparseShapes(const ShapeContext& c) {
  const int64_t rank = SparseRank(c, 1, 2, 3);
  const PartialShape& dense = WithRankAtLeast(c, 0, 2);
  return ResultOfRank(MergeDims(c, dense.rank(), rank));
}

Shapes SparseToSparseShapes(const ShapeContext& c) {
  return ResultOfRank(MergeDims(c, SparseRank(c, 0, 1, 2), SparseRank(c, 3, 4, 5)));
}

}  // namespace

std::span<const OpRow> SetSetOperation() {
  static const OpRow rows[] = {
      {.signature = "DenseToDenseSetOperation(set1: T, set2: T) -> (result_indices: int64, result_values: T, "
                    "result_shape: int64)",
       .attrs = "set_operation: string; validate_indices: bool = true; T: type in [int8, int16, int32, int64, uint8, "
                "uint16, string]",
       .doc = "The set operation ('a-b', 'b-a', 'intersection' or 'union', in any case of letters) on each two rows "
              "along the last dimension. The result is sparse: each row has its different values in ascending order.",
       .shape_fn = DenseToDenseShapes,
       .gradient = BlocksGradient(),
       .samples = {"set_operation='a-b'/'b-a'/'intersection'/'union'/'Union': [a b m] in 0..9 [a b n] in 0..9",
                   "set_operation='a-b'/'b-a'/'intersection'/'union': [a m] [a n]"}},
      {.signature = "DenseToSparseSetOperation(set1: T, set2_indices: int64, set2_values: T, set2_shape: int64) -> "
                    "(result_indices: int64, result_values: T, result_shape: int64)",
       .attrs = "set_operation: string; validate_indices: bool = true; T: type in [int8, int16, int32, int64, uint8, "
                "uint16, string]",
       .doc = "As DenseToDenseSetOperation, with a second operand that is sparse. validate_indices: whether "
              "coordinates that are out of order or out of the shape are refused at once.",
       .shape_fn = DenseToSparseShapes,
       .gradient = BlocksGradient(),
       .samples = {"set_operation='a-b'/'b-a'/'intersection'/'union': [5 n] in 0..6 [9 2] sorted in 0..5 [9] in 0..6 "
                   "{5, 7}",
                   "set_operation='a-b'/'b-a'/'intersection'/'union' validate_indices=false: [2 3 n] {{0, 1, 0}, {1, "
                   "0, 2}, {1, 0, 0}, {1, 2, 3}} [4] {2, 3, 4}"}},
      {.signature = "SparseToSparseSetOperation(set1_indices: int64, set1_values: T, set1_shape: int64, "
                    "set2_indices: int64, set2_values: T, set2_shape: int64) -> (result_indices: int64, "
                    "result_values: T, result_shape: int64)",
       .attrs = "set_operation: string; validate_indices: bool = true; T: type in [int8, int16, int32, int64, uint8, "
                "uint16, string]",
       .doc = "As DenseToDenseSetOperation, with sparse operands. validate_indices: whether coordinates that are out "
              "of order or out of the shape are refused at once.",
       .shape_fn = SparseToSparseShapes,
       .gradient = BlocksGradient(),
       .samples = {"set_operation='a-b'/'b-a'/'intersection'/'union': [9 2] sorted in 0..5 [9] in 0..6 {5, 7} [7 2] "
                   "sorted in 0..5 [7] in 0..6 {5, 6}",
                   "set_operation='a-b'/'b-a'/'intersection'/'union' validate_indices=false: {{0, 1, 0}, {0, 1, 0}, "
                   "{1, 0, 2}} [3] {2, 3, 4} {{1, 0, 1}, {0, 2, 1}} [2] {2, 3, 5}"}},
  };
  return rows;
}

}  // namespace plumb::topics
