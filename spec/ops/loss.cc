#include "spec/ops/families.h"
#include "spec/ops/gradients.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> LossOps() {
  static const OpRow rows[] = {
      {.signature = "SoftmaxCrossEntropyWithLogits(features: T, labels: T) -> (loss: T, backprop: T)",
       .attrs = "T: type in [floats]",
       .doc = "For each row: loss = -Σ labels · log softmax(features), and its gradient by the features, "
              "softmax - labels. Labels and features broadcast.",
       .shape_fn = shape_rules::SoftmaxCrossEntropy,
       .accuracy = Composed(4),
       .gradient = SoftmaxCrossEntropyWithLogitsGradient,
       .sample = "[b C] finite [b C] in 0..1 | [b 5] finite [1 5] in 0..1"},
      {.signature = "SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels) -> (loss: T, backprop: T)",
       .attrs = "T: type in [floats]; Tlabels: type = int64 in [int32, int64]",
       .doc = "For each row: loss = -log softmax(features)[label], and its gradient by the features. A label "
              "out of range is an error.",
       .shape = "[b c] [b] -> [b] [b c]",
       .accuracy = Composed(4),
       .gradient = SparseSoftmaxCrossEntropyWithLogitsGradient,
       .sample = "[b C] finite [b] in 0..C"},
      {.signature = "L2Loss(t: T) -> (output: T)",
       .attrs = "T: type in [floats]",
       .doc = "Half the sum of the squares of all elements.",
       .shape = "? -> []",
       .accuracy = Summation(),
       .gradient = L2LossGradient},
  };
  return rows;
}

}  // namespace plumb
