#include "spec/ops/families.h"
#include "spec/ops/gradients.h"

namespace plumb {

std::span<const OpRow> ActivationOps() {
  static const OpRow rows[] = {
      {.signature = "Relu(features: T) -> (activations: T)",
       .attrs = "T: type in [floats, ints, qint8]",
       .doc = "max(x, 0); NaN stays NaN.",
       .shape = "[d...] -> [d...]",
       .gradient = ReluGradient},
      {.signature = "ReluGrad(gradients: T, features: T) -> (backprops: T)",
       .attrs = "T: type in [floats, ints]",
       .doc = "The gradient of Relu: the gradients where features > 0, else 0. `features` may be Relu's input "
              "or its result.",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = ReluGradGradient,
       .sample = "[d...] finite [d...]"},
      {.signature = "Sigmoid(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "1 / (1 + exp(-x)).",
       .shape = "[d...] -> [d...]",
       .accuracy = Ulps(4, 0, 2),
       .gradient = SigmoidGradient},
      {.signature = "SigmoidGrad(y: T, dy: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The gradient of Sigmoid by its result y: dy y (1 - y).",
       .shape = "[d...] [d...] -> [d...]",
       .accuracy = Composed(1),
       .gradient = SigmoidGradGradient},
      {.signature = "Tanh(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The hyperbolic tangent.",
       .shape = "[d...] -> [d...]",
       .accuracy = Ulps(8),
       .gradient = TanhGradient},
      {.signature = "TanhGrad(y: T, dy: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The gradient of Tanh by its result y: dy (1 - y²).",
       .shape = "[d...] [d...] -> [d...]",
       .accuracy = Composed(1),
       .gradient = TanhGradGradient},
      {.signature = "Softmax(logits: T) -> (softmax: T)",
       .attrs = "T: type in [floats]",
       .doc = "exp(x) divided by its sum, along the last dimension.",
       .shape = "[d... c] -> [d... c]",
       .accuracy = Composed(2),
       .gradient = SoftmaxGradient,
       .sample = "[d... C] | [a 7]"},
      {.signature = "LogSoftmax(logits: T) -> (logsoftmax: T)",
       .attrs = "T: type in [floats]",
       .doc = "x minus the logarithm of the sum of exp(x), along the last dimension.",
       .shape = "[d... c] -> [d... c]",
       .accuracy = Composed(4),
       .gradient = LogSoftmaxGradient,
       .sample = "[d... C] | [a 7]"},
  };
  return rows;
}

}  // namespace plumb
