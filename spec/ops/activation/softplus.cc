#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// A formula of two elementary functions, of which 16-bit kernels round each.
constexpr Accuracy kLogOfSum = {AccuracyClass::kComposed, 8, 0, false, 2};

Values SoftplusGradient(Gradient& g) { return {g.Call("SoftplusGrad", {g.dy(), g.x()})}; }

// The slope's own: 1 / (exp(−x) + 2 + exp(x)).
Values SoftplusGradGradient(Gradient& g) {
  const Endpoint x = g.x(1);
  const Endpoint falling = g.Call("Add", {g.Call("Exp", {g.Call("Neg", {x})}), g.Scalar(2, g.dtype(x))});
  const Endpoint curve = g.Call("Add", {falling, g.Call("Exp", {x})});
  return {g.Call("SoftplusGrad", {g.dy(), x}), g.Call("RealDiv", {g.Call("Mul", {g.dy(), g.x(0)}), curve})};
}

Values SoftsignGradient(Gradient& g) { return {g.Call("SoftsignGrad", {g.dy(), g.x()})}; }

}  // namespace

std::span<const OpRow> ActivationSoftplus() {
  static const OpRow rows[] = {
      {.signature = "Softplus(features: T) -> (activations: T)",
       .attrs = "T: type in [floats]",
       .doc = "log(1 + exp(x)).",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 16,
       .accuracy = kLogOfSum,
       .gradient = SoftplusGradient,
       .gradient_trial = {.order = 2}},
      {.signature = "SoftplusGrad(gradients: T, features: T) -> (backprops: T)",
       .attrs = "T: type in [floats]",
       .doc = "The gradient of Softplus: the gradients divided by 1 + exp(-x).",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] -> [d...]",
       .cost = 8,
       .accuracy = Composed(2),
       .gradient = SoftplusGradGradient},
      {.signature = "Softsign(features: T) -> (activations: T)",
       .attrs = "T: type in [floats]",
       .doc = "x / (1 + |x|).",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .accuracy = Ulps(2, 0, 2),
       .gradient = SoftsignGradient},
      {.signature = "SoftsignGrad(gradients: T, features: T) -> (backprops: T)",
       .attrs = "T: type in [floats]",
       .doc = "The gradient of Softsign: the gradients divided by (1 + |x|)².",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] -> [d...]",
       .accuracy = Composed(1)},
  };
  return rows;
}

}  // namespace plumb::topics
