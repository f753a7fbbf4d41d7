#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SoftmaxCrossEntropyShapes(const ShapeContext& c) {
  // What is known of one alone has to be a matrix already.
  const bool knows_both = c.input(0).has_rank() && c.input(1).has_rank();
  const PartialShape both =
      knows_both ? Broadcast(c, c.input(0), c.input(1)) : Broadcast(c, WithRank(c, 0, 2), WithRank(c, 1, 2));
  Require(both.rank() == 2, c.op().name, ": logits and labels must be matrices, not ", both.ToString());
  return {Part(both, 0, 1), both};
}

// A per-row factor [b] against a matrix [b, c].
Endpoint ScaleRows(Gradient& g, Endpoint rows, Endpoint matrix) {
  return g.Call("Mul", {g.Call("ExpandDims", {rows, g.Scalar(-1, DType::kInt32)}), matrix});
}

// Second derivative of the cross entropy along its own gradient `backprop` = softmax − labels:
// (d − Σ d·softmax)·softmax, row by row.
Endpoint ThroughBackprop(Gradient& g, Endpoint logits, Endpoint d) {
  const Endpoint softmax = g.Call("Softmax", {logits});
  return g.Call("Mul", {g.Call("Sub", {d, SumLast(g, g.Call("Mul", {d, softmax}))}), softmax});
}

// The second output is the gradient with respect to the logits; the labels' gradient is −log softmax.
Values SoftmaxCrossEntropyWithLogitsGradient(Gradient& g) {
  Endpoint logits = ScaleRows(g, g.dy(0), g.y(1));
  if (g.has_dy(1)) logits = g.Call("Add", {logits, ThroughBackprop(g, g.x(0), g.dy(1))});
  const Endpoint labels = ScaleRows(g, g.dy(0), g.Call("Neg", {g.Call("LogSoftmax", {g.x(0)})}));
  return {g.SumToShapeOf(logits, g.x(0), g.x(1)), g.SumToShapeOf(labels, g.x(1), g.x(0))};
}

Values SparseSoftmaxCrossEntropyWithLogitsGradient(Gradient& g) {
  Endpoint logits = ScaleRows(g, g.dy(0), g.y(1));
  if (g.has_dy(1)) logits = g.Call("Add", {logits, ThroughBackprop(g, g.x(0), g.dy(1))});
  return {logits, GradientValue::None()};
}

}  // namespace

std::span<const OpRow> LossCrossEntropy() {
  static const OpRow rows[] = {
      {.signature = "SoftmaxCrossEntropyWithLogits(features: T, labels: T) -> (loss: T, backprop: T)",
       .attrs = "T: type in [floats]",
       .doc = "For each row: loss = -Σ labels · log softmax(features), and its gradient by the features, "
              "softmax - labels. Labels and features broadcast.",
       .gpu = "all",
       .shape_fn = SoftmaxCrossEntropyShapes,
       .accuracy = Composed(4),
       .gradient = SoftmaxCrossEntropyWithLogitsGradient,
       .gradient_trial = {.untried = "it takes it that labels add up to 1"},
       .samples = {"[b C] finite [b C] in 0..1", "[b 5] finite [1 5] in 0..1"}},
      {.signature = "SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels) -> (loss: T, backprop: T)",
       .attrs = "T: type in [floats]; Tlabels: type = int64 in [int32, int64]",
       .doc = "For each row: loss = -log softmax(features)[label], and its gradient by the features. A label "
              "out of range is an error.",
       .gpu = "all",
       .shape = "[b c] [b] -> [b] [b c]",
       .accuracy = Composed(4),
       .gradient = SparseSoftmaxCrossEntropyWithLogitsGradient,
       .samples = {"[b C] finite [b] in 0..C"}},
  };
  return rows;
}

}  // namespace plumb::topics
