#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// All three are broadcast.
Shapes SelectV2Shapes(const ShapeContext& c) {
  return {Broadcast(c, c.input(0), Broadcast(c, c.input(1), c.input(2)))};
}

Values SelectV2Gradient(Gradient& g) {
  const Endpoint zeros = g.ZerosLike(g.dy());
  const Endpoint by_t = g.Call("SelectV2", {g.x(0), g.dy(), zeros}), by_e = g.Call("SelectV2", {g.x(0), zeros, g.dy()});
  return {GradientValue::None(), g.SumToShapeOf(by_t, g.x(1), g.y()), g.SumToShapeOf(by_e, g.x(2), g.y())};
}

}  // namespace

std::span<const OpRow> MathSelectV2() {
  static const OpRow rows[] = {
      {.signature = "SelectV2(condition: bool, t: T, e: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "t where the condition holds, e elsewhere; all three are broadcast.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int32, int64]",
       .shape_fn = SelectV2Shapes,
       .gradient = SelectV2Gradient,
       .samples = {"[d...] [d...] [d...]", "[] [d...] [d...]", "[a 1] [a b] []", "[a b] [b] [a 1]", "[b] [a b] [a b]",
                   "[a 1 c] [b 1] [a b c]", "[a b] [a b] []"}},
  };
  return rows;
}

}  // namespace plumb::topics
