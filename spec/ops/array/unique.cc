#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes CountedShapes(const ShapeContext& c) { return {PartialShape{-1}, c.input(0), PartialShape{-1}}; }

// Of slices along an axis, or of the elements of a vector where no axis is given.
Shapes UniqueV2Shapes(const ShapeContext& c) {
  const auto axes = ConstantInts(c, 1);
  PartialShape values = c.input(0);
  int64_t size = -1;
  if (!axes || !values.has_rank()) {
    if (values.has_rank()) values = PartialShape::OfRank(values.rank());
  } else {
    WithRank(c, 1, 1);
    Require(axes->size() <= 1, c.op().name, ": one axis or none, not ", axes->size());
    if (axes->empty()) WithRank(c, 0, 1);
    const int axis = axes->empty() ? 0 : CanonicalAxis(c, axes->front(), values.rank());
    size = values.dim(axis);
    values = WithDim(values, axis, -1);
  }
  Shapes shapes = {values, PartialShape{size}};
  if (c.num_outputs() > 2) shapes.push_back(PartialShape{-1});
  return shapes;
}

}  // namespace

std::span<const OpRow> ArrayUnique() {
  static const OpRow rows[] = {
      {.signature = "Unique(x: T) -> (y: T, idx: out_idx)",
       .attrs = "T: type; out_idx: type = int32 in [int32, int64]",
       .doc = "The different values of x in the order of their first appearance, and for each element of x "
              "the position of its value among them.",
       .cpu = "T in [floats, ints, bool, string]",
       .gpu = "T in [floats, ints, bool]",
       .shape = "[n] -> [?] [n]",
       .samples = {"[n] in 0..4"}},
      {.signature = "UniqueWithCounts(x: T) -> (y: T, idx: out_idx, count: out_idx)",
       .attrs = "T: type; out_idx: type = int32 in [int32, int64]",
       .doc = "As Unique, and how often each value occurs.",
       .cpu = "T in [floats, ints, bool, string]",
       .gpu = "T in [floats, ints, bool]",
       .shape_fn = CountedShapes,
       .samples = {"[n] in 0..4"}},
      {.signature = "UniqueV2(x: T, axis: Taxis) -> (y: T, idx: out_idx)",
       .attrs = "T: type; Taxis: type = int64 in [int32, int64]; out_idx: type = int32 in [int32, int64]",
       .doc = "The different slices of x along the axis, in the order of their first appearance, and for each slice of "
              "x the position of its like among them. Without an axis x is a vector, and its elements are meant.",
       .cpu = "T in [floats, ints, bool, string]",
       .shape_fn = UniqueV2Shapes,
       .samples = {"[n] in 0..4 {}", "[n] in 0..4 {0}", "[n 2] in 0..2 {0}", "[2 n] in 0..2 {-1}",
                   "[2 n 2] in 0..2 {1}", "[a b] {0}"}},
      {.signature = "UniqueWithCountsV2(x: T, axis: Taxis) -> (y: T, idx: out_idx, count: out_idx)",
       .attrs = "T: type; Taxis: type = int64 in [int32, int64]; out_idx: type = int32 in [int32, int64]",
       .doc = "As UniqueV2, and how often each slice occurs.",
       .cpu = "T in [floats, ints, bool, string]",
       .shape_fn = UniqueV2Shapes,
       .samples = {"[n] in 0..4 {}", "[n 2] in 0..2 {0}", "[2 n 2] in 0..2 {1}", "[2 n] in 0..2 {-1}"}},
      {.signature = "ListDiff(x: T, y: T) -> (out: T, idx: out_idx)",
       .attrs = "T: type; out_idx: type = int32 in [int32, int64]",
       .doc = "The elements of x that are not in y, in their order, and where they stand in x.",
       .cpu = "T in [floats, ints, string]",
       .shape = "[m] [n] -> [u] [u]",
       .samples = {"[m] in 0..9 [n] in 3..6", "[m] [n]"}},
  };
  return rows;
}

}  // namespace plumb::topics
