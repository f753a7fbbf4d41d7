#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes RollShapes(const ShapeContext& c) {
  MergeShapes(c, WithRankAtMost(c, 1, 1), WithRankAtMost(c, 2, 1));
  return {WithRankAtLeast(c, 0, 1)};
}

Values RollGradient(Gradient& g) {
  return {g.Call("Roll", {g.dy(), g.Call("Neg", {g.x(1)}), g.x(2)}), GradientValue::None(), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArrayRoll() {
  static const OpRow rows[] = {
      {.signature = "Roll(input: T, shift: Tshift, axis: Taxis) -> (output: T)",
       .attrs = "T: type; Tshift: type in [int32, int64]; Taxis: type in [int32, int64]",
       .doc = "The input moved by `shift` elements along `axis`, round the end to the beginning. Shifts along one axis "
              "that is named several times add up.",
       .cpu = "T in [numbers, bool, string, resource, variant]",
       .gpu = "T in [floats, complexes, int32, int64]; Tshift in [int32, int64]; Taxis in [int32, int64]",
       .shape_fn = RollShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = RollGradient,
       .samples = {"[n] 1 0", "[a b c] {2, -1} {0, 2}", "[a b] {1, 3, -2} {1, 1, 0}", "[a n] [1] in -9..9 {-1}",
                   "[a b c] [] in -9..9 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
