#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes CtcLossShapes(const ShapeContext& c) {
  const PartialShape inputs = WithRank(c, 0, 3);
  MergeDims(c, WithRank(c, 1, 2).dim(0), WithRank(c, 2, 1).dim(0));
  const int64_t batch = MergeDims(c, inputs.dim(1), WithRank(c, 3, 1).dim(0));
  return {PartialShape{batch}, WithDim(inputs, 1, batch)};
}

// The second output is the gradient with respect to the inputs, which has none of its own.
Values CtcLossGradient(Gradient& g) {
  const Endpoint inputs = g.Call("PreventGradient", {g.y(1)},
                                 {{"message", std::string("the loss is computed together with its gradient, which has "
                                                          "no derivative of its own")}});
  const Endpoint scale = g.Call("ExpandDims", {g.dy(0), g.Scalar(-1, DType::kInt32)});
  return {g.Call("Mul", {scale, inputs}), GradientValue::None(), GradientValue::None(), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> LossCtcLoss() {
  static const OpRow rows[] = {
      {.signature = "CTCLoss(inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32) -> (loss: "
                    "T, gradient: T)",
       .attrs = "preprocess_collapse_repeated: bool = false; ctc_merge_repeated: bool = true; "
                "ignore_longer_outputs_than_inputs: bool = false; T: type = float32 in [float32, float64]",
       .doc = "For inputs [time, batch, class], of which softmax makes probabilities, the negative logarithm of the "
              "probability that a sequence spells its labels, and the gradient of it: labels come in their order, one "
              "class at each time, the last class being the blank between them. preprocess_collapse_repeated: repeated "
              "labels count once. ctc_merge_repeated: a class that repeats without a blank between is one label. "
              "Labels that are longer than their sequence are an error, or give 0. A sequence has a label at least; "
              "those from the blank on end it. What nothing can spell gives infinity and the softmax as its gradient "
              "(rule N23).",
       .shape_fn = CtcLossShapes,
       .cost = 64,
       .accuracy = Composed(4),
       .gradient = CtcLossGradient,
       .gradient_trial = {.untried = "its second output has no derivative"},
       .samples = {"preprocess_collapse_repeated=false/true ctc_merge_repeated=true/false "
                   "ignore_longer_outputs_than_inputs=false/true: [6 3 4] finite {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, "
                   "1}, {2, 0}} {1, 1, 2, 0, 2, 1} {6, 4, 2}",
                   "ignore_longer_outputs_than_inputs=true: [3 2 3] finite {{0, 0}, {0, 1}, {1, 0}, {1, 2}} {0, 0, 1, "
                   "0} {1, 3}",
                   "ctc_merge_repeated=true/false: [3 2 3] finite {{0, 0}, {0, 1}, {0, 2}, {1, 0}} {1, 1, 0, 1} {3, 1}",
                   "[T 1 C] finite {{0, 0}} {0} {T}", "[T 2 3] finite {{0, 0}, {1, 0}} {0, 1} {T, 1}"}},
      {.signature = "CTCLossV2(inputs: float32, labels_indices: int64, labels_values: int32, sequence_length: int32) "
                    "-> (loss: float32, gradient: float32)",
       .attrs = "preprocess_collapse_repeated: bool = false; ctc_merge_repeated: bool = true; "
                "ignore_longer_outputs_than_inputs: bool = false",
       .doc = "CTCLoss whose blank is the first class: labels count from 1, and any other label is an error; "
              "there may be none (rule N23).",
       .gpu = "all",
       .shape_fn = CtcLossShapes,
       .cost = 64,
       .accuracy = Composed(4),
       .gradient = CtcLossGradient,
       .gradient_trial = {.untried = "its second output has no derivative"},
       .samples = {"preprocess_collapse_repeated=false/true ctc_merge_repeated=true/false "
                   "ignore_longer_outputs_than_inputs=false/true: [6 3 4] finite {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, "
                   "1}} {2, 2, 3, 1, 3} {6, 4, 2}",
                   "ignore_longer_outputs_than_inputs=true: [3 2 3] finite {{0, 0}, {0, 1}, {1, 0}, {1, 2}} {1, 1, 2, "
                   "1} {1, 3}",
                   "[T 1 4] finite {{0, 0}} {1} {T}", "[T 2 3] finite [0 2] [0] {T, 1}"}},
  };
  return rows;
}

}  // namespace plumb::topics
