#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SparseReshapeShapes(const ShapeContext& c) {
  const PartialShape indices = WithRank(c, 0, 2);
  WithRank(c, 1, 1);
  const int64_t rank = WithRank(c, 2, 1).dim(0);
  return {PartialShape{indices.dim(0), rank}, PartialShape{rank}};
}

}  // namespace

std::span<const OpRow> SparseReshape() {
  static const OpRow rows[] = {
      {.signature = "SparseReshape(input_indices: int64, input_shape: int64, new_shape: int64) -> (output_indices: "
                    "int64, output_shape: int64) hands_on",
       .doc = "The coordinates that the elements have in another shape of as many elements, in which one size may be "
              "-1. Coordinates outside of the shape are not refused.",
       .gpu = "all",
       .shape_fn = SparseReshapeShapes,
       .samples = {"[n 3] in 0..4 {4, 4, 6} {8, -1}", "[n 2] in 0..6 {6, 6} {36}", "[n 2] in -1..9 {6, 4} {2, 3, 4}",
                   "[n 2] in -1..9 {6, 4} {-1, 4}", "[0 2] in 0..1 {0, 4} {2, 0, 3}", "[n 1] in 0..1 {1} {}"}},
  };
  return rows;
}

}  // namespace plumb::topics
