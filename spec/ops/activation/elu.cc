#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// Of the op with this gradient op: dz passed on to dy, and to the output y where the slope depends on it.
Values SecondOrder(Gradient& g, const char* op) {
  const Endpoint y = g.x(1), zeros = g.ZerosLike(y);
  const Endpoint by_y = g.Call("Select", {g.Call("Less", {y, zeros}), g.Call("Mul", {g.dy(), g.x(0)}), zeros});
  return {g.Call(op, {g.dy(), y}), by_y};
}

Values EluGradient(Gradient& g) { return {g.Call("EluGrad", {g.dy(), g.y()})}; }
Values EluGradGradient(Gradient& g) { return SecondOrder(g, "EluGrad"); }
Values SeluGradient(Gradient& g) { return {g.Call("SeluGrad", {g.dy(), g.y()})}; }
Values SeluGradGradient(Gradient& g) { return SecondOrder(g, "SeluGrad"); }

}  // namespace

std::span<const OpRow> ActivationElu() {
  static const OpRow rows[] = {
      {.signature = "Elu(features: T) -> (activations: T)",
       .attrs = "T: type in [floats]",
       .doc = "x from zero on, exp(x) - 1 below it.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Composed(2),
       .gradient = EluGradient,
       .gradient_trial = {.order = 2}},
      {.signature = "EluGrad(gradients: T, outputs: T) -> (backprops: T)",
       .attrs = "T: type in [floats]",
       .doc = "The gradient of Elu by its result y: the gradients times y + 1 where y < 0, else the gradients.",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] -> [d...]",
       .accuracy = Composed(1),
       .gradient = EluGradGradient},
      {.signature = "Selu(features: T) -> (activations: T)",
       .attrs = "T: type in [floats]",
       .doc = "1.0507 x from zero on, 1.7581 (exp(x) - 1) below it.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Composed(2),
       .gradient = SeluGradient,
       .gradient_trial = {.order = 2}},
      {.signature = "SeluGrad(gradients: T, outputs: T) -> (backprops: T)",
       .attrs = "T: type in [floats]",
       .doc = "The gradient of Selu by its result y: the gradients times y + 1.7581 where y < 0, else times 1.0507.",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] -> [d...]",
       .accuracy = Composed(1),
       .gradient = SeluGradGradient},
  };
  return rows;
}

}  // namespace plumb::topics
