#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes SparseReorderShapes(const ShapeContext& c) {
  RequireSparseRanks(c, 0, 1, 2);
  return {WithRank(c, 0, 2), WithRank(c, 1, 1)};
}

// The numbers of the elements are ordered along, and say where each gradient came from.
Values SparseReorderGradient(Gradient& g) {
  const Endpoint count = g.Call("Size", {g.x(1)});
  const Endpoint numbers = g.Call("Range", {Zero(g), count, One(g)});
  const NodeId ordered = g.Add("SparseReorder", {g.x(0), numbers, g.x(2)});
  const Endpoint back = g.Call("InvertPermutation", {{ordered, 1}});
  return {GradientValue::None(), g.Call("GatherV2", {g.dy(1), back, Zero(g)}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> SparseReorder() {
  static const OpRow rows[] = {
      {.signature = "SparseReorder(input_indices: int64, input_values: T, input_shape: int64) -> (output_indices: "
                    "int64, output_values: T) hands_on",
       .attrs = "T: type",
       .doc = "The elements in row-major order. Coordinates outside of the shape are not refused.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [float16, float32, float64, ints, bool]",
       .shape_fn = SparseReorderShapes,
       .gradient = SparseReorderGradient,
       .samples = {"[n 2] in 0..9 [n] {9, 9}", "[n 3] in -1..4 [n] {4, 4, 4}", "[n 1] permutation [n] {n}",
                   "[0 2] in 0..1 [0] {3, 4}", "{{0, 3}, {1, 0}, {1, 2}} [3] {2, 4}"}},
  };
  return rows;
}

}  // namespace plumb::topics
