#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values LeakyReluGradient(Gradient& g) { return {g.Call("LeakyReluGrad", {g.dy(), g.x()}, SameAttrs(g, {"alpha"}))}; }
Values LeakyReluGradGradient(Gradient& g) {
  return {g.Call("LeakyReluGrad", {g.dy(), g.x(1)}, SameAttrs(g, {"alpha"})), g.ZerosLike(g.x(1))};
}

}  // namespace

std::span<const OpRow> ActivationLeakyRelu() {
  static const OpRow rows[] = {
      {.signature = "LeakyRelu(features: T) -> (activations: T)",
       .attrs = "alpha: float = 0.2; T: type = float32 in [floats]",
       .doc = "x where it is positive, else alpha x; NaN stays NaN.",
       .gpu = "all",
       .shape = "[d...] -> [d...]",
       .gradient = LeakyReluGradient,
       .gradient_trial = {.order = 2},
       .samples = {"alpha=0.2/0.01/0/1.5: [d...]", "alpha=-0.5: [d...]"}},
      {.signature = "LeakyReluGrad(gradients: T, features: T) -> (backprops: T)",
       .attrs = "alpha: float = 0.2; T: type = float32 in [floats]",
       .doc = "The gradient of LeakyRelu: the gradients where features > 0, else alpha times them.",
       .gpu = "all",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = LeakyReluGradGradient,
       .samples = {"alpha=0.2/0.01/0/1.5: [d...] [d...]", "alpha=-0.5: [d...] [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
