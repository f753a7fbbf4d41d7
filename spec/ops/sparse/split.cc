#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SparseSplitShapes(const ShapeContext& c) {
  const PartialShape& shape = c.input(3);
  const int64_t rank = shape.rank() == 1 ? shape.dim(0) : -1;
  const auto pieces = static_cast<size_t>(c.attr<int64_t>("num_split"));
  Shapes shapes(pieces, PartialShape{-1, rank});
  shapes.insert(shapes.end(), pieces, PartialShape{-1});
  shapes.insert(shapes.end(), pieces, shape);
  return shapes;
}

}  // namespace

std::span<const OpRow> SparseSplit() {
  static const OpRow rows[] = {
      {.signature = "SparseSplit(split_dim: int64, indices: int64, values: T, shape: int64) -> (output_indices: "
                    "int64*num_split, output_values: T*num_split, output_shape: int64*num_split)",
       .attrs = "num_split: int >= 1; T: type",
       .doc = "num_split pieces of a sparse tensor along split_dim, of equal sizes, or, for the first ones, larger by "
              "one. Coordinates along split_dim that are outside of the shape are an error, others are not looked at. "
              "split_dim has 2^31 - 1 places at most.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [numbers, bool]",
       .shape_fn = SparseSplitShapes,
       .samples = {"num_split=1/2/3: 1 [n 2] in 0..4 [n] {4, 7}", "num_split=4: -2 [n 2] in 0..6 [n] {9, 6}",
                   "num_split=2: 0 [0 1] in 0..1 [0] {2}"}},
  };
  return rows;
}

}  // namespace plumb::topics
