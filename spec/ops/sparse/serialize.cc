#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

void CheckRanks(const ShapeContext& c) {
  WithRank(c, 0, 2);
  WithRank(c, 1, 1);
  WithRank(c, 2, 1);
}
Shapes SerializeShapes(const ShapeContext& c) {
  CheckRanks(c);
  return {PartialShape{3}};
}
Shapes SerializeManyShapes(const ShapeContext& c) {
  CheckRanks(c);
  return {PartialShape{-1, 3}};
}

const Shapes& AnySparse() {
  static const Shapes shapes = {PartialShape{-1, -1}, PartialShape{-1}, PartialShape{-1}};
  return shapes;
}
Shapes DeserializeShapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtLeast(c, 0, 1);
  if (input.has_rank()) MergeDims(c, input.dim(input.rank() - 1), 3);
  return AnySparse();
}
Shapes DeserializeManyShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 0, 2).dim(1), 3);
  return AnySparse();
}

}  // namespace

std::span<const OpRow> SparseSerialize() {
  static const OpRow rows[] = {
      {.signature = "SerializeSparse(sparse_indices: int64, sparse_values: T, sparse_shape: int64) -> "
                    "(serialized_sparse: out_type)",
       .attrs = "T: type; out_type: type = string in [string, variant]",
       .doc = "The three tensors of a sparse tensor as a vector: of serialized TensorProto messages, or of variants "
              "that hold them.",
       .shape_fn = SerializeShapes,
       .samples =
           {"out_type in [string]: [n 2] in 0..9 [n] {9, 9}",
            "out_type in [variant]: [n 2] in 0..9 [n] {9, 9}; d = DeserializeSparse dtype=$T Tserialized=variant: "
            "this"}},
      {.signature = "SerializeManySparse(sparse_indices: int64, sparse_values: T, sparse_shape: int64) -> "
                    "(serialized_sparse: out_type)",
       .attrs = "T: type; out_type: type = string in [string, variant]",
       .doc = "The rows of a sparse tensor of 2 dimensions at least, in row-major order, each serialized as by "
              "SerializeSparse.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .shape_fn = SerializeManyShapes,
       .samples = {"out_type in [string]: [7 2] sorted in 0..4 [7] {5, 4}",
                   "out_type in [variant]: [7 3] sorted in 0..4 [7] {5, 4, 4}; d = DeserializeSparse dtype=$T "
                   "Tserialized=variant: this"}},
      {.signature =
           "DeserializeSparse(serialized_sparse: Tserialized) -> (sparse_indices: int64, sparse_values: dtype, "
           "sparse_shape: int64)",
       .attrs = "dtype: type; Tserialized: type = string in [string, variant]",
       .doc = "The sparse tensor that SerializeSparse has written. Of several, which the last dimension separates, one "
              "with the other dimensions before its own; its sizes are the largest ones.",
       .shape_fn = DeserializeShapes,
       .samples =
           {"s = SerializeSparse T=$dtype: [n 2] in 0..9 [n] {9, 9}; Tserialized in [string]: s",
            "s = SerializeSparse T=$dtype out_type=variant: [n 2] in 0..9 [n] {9, 9}; Tserialized in [variant]: s",
            "s = SerializeManySparse T=$dtype: [7 3] sorted in 0..4 [7] {5, 4, 4}; Tserialized in [string] dtype "
            "in [floats, ints, complexes, bool, string]: s"}},
      {.signature = "DeserializeManySparse(serialized_sparse: string) -> (sparse_indices: int64, sparse_values: dtype, "
                    "sparse_shape: int64)",
       .attrs = "dtype: type",
       .doc = "One sparse tensor whose rows are those that SerializeSparse has written, a row of three strings each.",
       .shape_fn = DeserializeManyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"s = SerializeManySparse T=$dtype: [7 3] sorted in 0..4 [7] {5, 4, 4}; dtype in [floats, ints, "
                   "complexes, bool, string]: s"}},
  };
  return rows;
}

}  // namespace plumb::topics
