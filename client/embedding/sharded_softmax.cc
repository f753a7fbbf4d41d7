#include "client/embedding/sharded_softmax.h"

#include <limits>

#include "client/embedding/table_parts.h"

namespace plumb {
namespace {

Output Axis(Scope& scope, int32_t axis) { return Constant<int32_t>(scope, {axis}); }
Output Column(Scope& scope, Output values) { return scope.Call("ExpandDims", {values, Constant(scope, int32_t{1})}); }

// What one part says of each example, [batch].
struct OfPart {
  Output largest;  // logit
  Output sum;      // of exp(logit - largest)
  Output own;      // logit of the label; 0 where another part has it
};

OfPart Sums(Scope& scope, Output weights, Output biases, Output labels, Output inputs, int64_t begin, int64_t classes) {
  const Beside beside(scope, weights, Beside::Gradients::kBeside);
  const Output products = scope.Call("MatMul", {inputs, ValuesOf(scope, weights)}, {{"transpose_b", true}});
  const Output logits = products + ValuesOf(scope, biases);
  const Output largest = scope.Call("StopGradient", {scope.Call("Max", {logits, Axis(scope, 1)})});
  const Output sum = scope.Call("Sum", {scope.Call("Exp", {logits - Column(scope, largest)}), Axis(scope, 1)});
  const auto number = [&](int64_t value) {
    return Constant(scope, ScalarTensor(static_cast<double>(value), labels.dtype()));
  };
  const Output ids = scope.Call("Range", {number(begin), number(begin + classes), number(1)});
  const Output is_own = scope.Call("Equal", {Column(scope, labels), ids});
  const Output kept = scope.Call("SelectV2", {is_own, logits, Constant(scope, ScalarTensor(0, logits.dtype()))});
  return {largest, sum, scope.Call("Sum", {kept, Axis(scope, 1)})};
}

Output Added(Scope& scope, const std::vector<Output>& values) {
  return values.size() == 1 ? values[0] : scope.Call("AddN", values, {{"N", static_cast<int64_t>(values.size())}});
}

void CheckParts(const std::vector<Output>& weights, const std::vector<Output>& biases) {
  Require(!weights.empty() && weights.size() == biases.size(), "there are ", weights.size(), " parts of weights and ",
          biases.size(), " of biases: both are cut alike");
  for (size_t i = 0; i < weights.size(); ++i) {
    const PartialShape w = ShapeOf(weights[i]), b = ShapeOf(biases[i]);
    const bool fits = w.rank() == 2 && b.rank() == 1 && w.dim(0) >= 0 && w.dim(0) == b.dim(0);
    Require(fits, "part ", i, " has weights of shape ", w.ToString(), " and biases of shape ", b.ToString(),
            "; they must be [classes, size] and [classes], with a known number of classes");
  }
}

void CheckExamples(Output labels, Output inputs) {
  Require(labels.dtype() == DType::kInt32 || labels.dtype() == DType::kInt64, "labels must be int32 or int64, not ",
          DTypeName(labels.dtype()));
  Require(labels.shape().rank() == 1 && inputs.shape().rank() == 2,
          "labels must be [batch] and inputs [batch, size]; they have the shapes ", labels.shape().ToString(), " and ",
          inputs.shape().ToString());
}

}  // namespace

Output ShardedSoftmax(Scope& scope, const std::vector<Output>& weights, const std::vector<Output>& biases,
                      Output labels, Output inputs) {
  CheckParts(weights, biases);
  CheckExamples(labels, inputs);
  const auto named = scope.Sub("sharded_softmax");
  std::vector<OfPart> parts;
  int64_t classes = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const int64_t here = ShapeOf(weights[i]).dim(0);
    parts.push_back(Sums(scope, weights[i], biases[i], labels, inputs, classes, here));
    classes += here;
  }
  std::vector<Output> all_largest, sums, own;
  for (const OfPart& part : parts) all_largest.push_back(part.largest);
  const Output largest = scope.Call("Max", {scope.Call("Pack", all_largest), Axis(scope, 0)});
  for (const OfPart& part : parts) {
    sums.push_back(part.sum * scope.Call("Exp", {part.largest - largest}));
    own.push_back(part.own);
  }
  const Output loss = scope.Call("Log", {Added(scope, sums)}) + (largest - Added(scope, own));
  const Output is_class = scope.Call("LogicalAnd", {labels >= 0, labels < static_cast<double>(classes)});
  const Output none = Constant(scope, ScalarTensor(std::numeric_limits<double>::quiet_NaN(), loss.dtype()));
  return scope.Call("SelectV2", {is_class, loss, none});
}

}  // namespace plumb
