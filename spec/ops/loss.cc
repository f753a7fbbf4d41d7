#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> LossOps() {
  static const OpRow rows[] = {
      {.signature = "SoftmaxCrossEntropyWithLogits(features: T, labels: T) -> (loss: T, backprop: T)",
       .attrs = "T: type in [floats]"},
      {.signature = "SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels) -> (loss: T, backprop: T)",
       .attrs = "T: type in [floats]; Tlabels: type = int64 in [int32, int64]"},
      {.signature = "L2Loss(t: T) -> (output: T)", .attrs = "T: type in [floats]"},
  };
  return rows;
}

}  // namespace plumb
