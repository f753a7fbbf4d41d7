#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values TanhGradient(Gradient& g) { return {g.Call("TanhGrad", {g.Conjugate(g.y()), g.dy()})}; }

// z = dy·(1 − y²).
Values TanhGradGradient(Gradient& g) {
  const Endpoint y = g.Conjugate(g.x(0)), dy = g.Conjugate(g.x(1));
  const Endpoint factor = g.Call("Mul", {g.Scalar(-2, g.dtype(y)), g.Call("Mul", {dy, y})});
  return {g.Call("Mul", {g.dy(), factor}), g.Call("TanhGrad", {y, g.dy()})};
}

}  // namespace

std::span<const OpRow> ActivationTanh() {
  static const OpRow rows[] = {
      {.signature = "Tanh(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The hyperbolic tangent.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(8),
       .gradient = TanhGradient,
       .gradient_trial = {.order = 2}},
      {.signature = "TanhGrad(y: T, dy: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The gradient of Tanh by its result y: dy (1 - y²).",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .accuracy = Composed(1),
       .gradient = TanhGradGradient,
       .samples = {"[d...] [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
