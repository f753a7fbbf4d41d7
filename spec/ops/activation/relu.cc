#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values ReluGradient(Gradient& g) { return {g.Call("ReluGrad", {g.dy(), g.y()})}; }
Values ReluGradGradient(Gradient& g) { return {g.Call("ReluGrad", {g.dy(), g.x(1)}), g.ZerosLike(g.x(1))}; }

Values Relu6Gradient(Gradient& g) { return {g.Call("Relu6Grad", {g.dy(), g.y()})}; }
Values Relu6GradGradient(Gradient& g) { return {g.Call("Relu6Grad", {g.dy(), g.x(1)}), g.ZerosLike(g.x(1))}; }

}  // namespace

std::span<const OpRow> ActivationRelu() {
  static const OpRow rows[] = {
      {.signature = "Relu(features: T) -> (activations: T<either_zero>)",
       .attrs = "T: type in [floats, ints, qint8]",
       .doc = "max(x, 0); NaN stays NaN.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .gradient = ReluGradient,
       .gradient_trial = {.order = 2}},
      {.signature = "ReluGrad(gradients: T, features: T) -> (backprops: T)",
       .attrs = "T: type in [floats, ints]",
       .doc = "The gradient of Relu: the gradients where features > 0, else 0. `features` may be Relu's input "
              "or its result.",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = ReluGradGradient,
       .samples = {"[d...] finite [d...]"}},
      {.signature = "Relu6(features: T) -> (activations: T<either_zero>)",
       .attrs = "T: type in [floats, ints]",
       .doc = "min(max(x, 0), 6); NaN stays NaN.",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .gradient = Relu6Gradient,
       .gradient_trial = {.order = 2}},
      {.signature = "Relu6Grad(gradients: T, features: T) -> (backprops: T)",
       .attrs = "T: type in [floats, ints]",
       .doc = "The gradient of Relu6: the gradients where 0 < features < 6, else 0. `features` may be Relu6's input or "
              "its result.",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = Relu6GradGradient,
       .samples = {"[d...] finite [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
