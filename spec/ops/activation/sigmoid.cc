#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values SigmoidGradient(Gradient& g) { return {g.Call("SigmoidGrad", {g.Conjugate(g.y()), g.dy()})}; }

// z = dy·y·(1 − y).
Values SigmoidGradGradient(Gradient& g) {
  const DType dtype = g.dtype(g.x(0));
  const Endpoint y = g.Conjugate(g.x(0)), dy = g.Conjugate(g.x(1));
  const Endpoint slope = g.Call("Sub", {g.Scalar(1, dtype), g.Call("Mul", {g.Scalar(2, dtype), y})});
  return {g.Call("Mul", {g.Call("Mul", {g.dy(), dy}), slope}), g.Call("SigmoidGrad", {y, g.dy()})};
}

}  // namespace

std::span<const OpRow> ActivationSigmoid() {
  static const OpRow rows[] = {
      {.signature = "Sigmoid(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "1 / (1 + exp(-x)).",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(4, 0, 2),
       .gradient = SigmoidGradient,
       .gradient_trial = {.order = 2}},
      {.signature = "SigmoidGrad(y: T, dy: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The gradient of Sigmoid by its result y: dy y (1 - y).",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .accuracy = Composed(1),
       .gradient = SigmoidGradGradient,
       .samples = {"[d...] [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
