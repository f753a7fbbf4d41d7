#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ActivationOps() {
  static const OpRow rows[] = {
      {.signature = "Relu(features: T) -> (activations: T)", .attrs = "T: type in [floats, ints, qint8]"},
      {.signature = "ReluGrad(gradients: T, features: T) -> (backprops: T)", .attrs = "T: type in [floats, ints]"},
      {.signature = "Sigmoid(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "SigmoidGrad(y: T, dy: T) -> (z: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "Tanh(x: T) -> (y: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "TanhGrad(y: T, dy: T) -> (z: T)", .attrs = "T: type in [floats, complexes]"},
      {.signature = "Softmax(logits: T) -> (softmax: T)", .attrs = "T: type in [floats]"},
      {.signature = "LogSoftmax(logits: T) -> (logsoftmax: T)", .attrs = "T: type in [floats]"},
  };
  return rows;
}

}  // namespace plumb
