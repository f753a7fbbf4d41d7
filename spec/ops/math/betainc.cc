#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Operands that are no scalars have one shape, which is the result's.
// Operands that are no scalars have one shape. One of unknown rank tells it where the others are scalars.
Shapes BetaincShapes(const ShapeContext& c) {
  PartialShape merged;
  int scalars = 0;
  for (int i = 0; i < 3; ++i) {
    const bool is_scalar = c.input(i).rank() == 0;
    if (!is_scalar) merged = MergeShapes(c, merged, c.input(i));
    scalars += is_scalar ? 1 : 0;
  }
  return {scalars == 3 ? PartialShape(Shape()) : merged};
}

// Of x alone: x^(a−1)·(1−x)^(b−1) / B(a, b).
Values BetaincGradient(Gradient& g) {
  const Endpoint a = g.x(0), b = g.x(1), x = g.x(2), one = g.Scalar(1, g.dtype(x));
  const auto lgamma = [&g](Endpoint of) { return g.Call("Lgamma", {of}); };
  const Endpoint both = g.Call("Add", {lgamma(a), lgamma(b)});
  const Endpoint log_beta = g.Call("Sub", {both, lgamma(g.Call("Add", {a, b}))});
  const Endpoint tail = g.Call("Xlog1py", {g.Call("Sub", {b, one}), g.Call("Neg", {x})});
  const Endpoint head = g.Call("Xlogy", {g.Call("Sub", {a, one}), x});
  const Endpoint density = g.Call("Exp", {g.Call("Sub", {g.Call("Add", {tail, head}), log_beta})});
  const Endpoint dx = g.SumToShapeOf(g.Call("Mul", {density, g.dy()}), x, g.y());
  return {GradientValue::None(), GradientValue::None(), dx};
}

}  // namespace

std::span<const OpRow> MathBetainc() {
  static const OpRow rows[] = {
      {.signature = "Betainc(a: T, b: T, x: T) -> (z: T)",
       .attrs = "T: type in [float32, float64]",
       .doc =
           "The regularised incomplete beta integral from 0 to x; NaN unless a and b are positive and x is from 0 to "
           "1. Operands that are no scalars have one shape.",
       .gpu = "T in [float32, float64]",
       .shape_fn = BetaincShapes,
       .cost = 256,
       .accuracy = Composed(4),
       .gradient = BetaincGradient,
       .gradient_trial = {.constant_inputs = {0, 1}},
       .samples = {"[d...] positive [d...] positive [d...] in 0.05..0.9", "2.5 [a b] positive [a b] in 0.05..0.9",
                   "[a b] in 0.5..4 1.5 0.25", "3 0.75 [a] in 0.05..0.9",
                   "T in [float32]: [d...] [d...] [d...] in -0.25..1.25"}},
  };
  return rows;
}

}  // namespace plumb::topics
