#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes SparseConcatShapes(const ShapeContext& c) {
  const auto parts = static_cast<int>(c.attr<int64_t>("N"));
  int64_t rank = -1, rows = 0;
  for (int i = 0; i < parts; ++i) {
    rank = MergeDims(c, rank, SparseRank(c, i, parts + i, 2 * parts + i));
    rows = AddSizes(rows, MergeDims(c, WithRank(c, i, 2).dim(0), WithRank(c, parts + i, 1).dim(0)));
  }
  return {PartialShape{rows, rank}, PartialShape{rows}, PartialShape{rank}};
}

}  // namespace

std::span<const OpRow> SparseConcat() {
  static const OpRow rows[] = {
      {.signature = "SparseConcat(indices: int64*N, values: T*N, shapes: int64*N) -> (output_indices: int64, "
                    "output_values: T, output_shape: int64)",
       .attrs = "concat_dim: int; N: int >= 2; T: type",
       .doc =
           "Sparse tensors joined along concat_dim; negative axes count from the end. All other sizes must agree. "
           "The elements come in row-major order. INTERNAL for a part with a negative size, or with more than 2^63 - 1 "
           "elements.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [numbers, bool]",
       .shape_fn = SparseConcatShapes,
       .gradient = BlocksGradient(),
       .samples = {"concat_dim=1/-1: ([n 2] in 0..4 [m 2] in 0..3) ([n] [m]) ({5, 4} {5, 3})",
                   "concat_dim=0: ([n 2] in 0..4 [0 2] in 0..1 [m 2] in 0..3) ([n] [0] [m]) ({4, 4} {0, 4} {3, 4})"}},
  };
  return rows;
}

}  // namespace plumb::topics
