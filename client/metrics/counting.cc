#include "client/metrics/counting.h"

#include "client/named_variable.h"

namespace plumb::metrics {
namespace {

// Without the last axis, if it is of size 1 and `value` has one axis more than `other`.
Output WithoutLastOne(Scope& scope, Output value, Output other) {
  const PartialShape &mine = value.shape(), &theirs = other.shape();
  if (!mine.has_rank() || !theirs.has_rank() || mine.rank() != theirs.rank() + 1) return value;
  if (mine.dim(mine.rank() - 1) != 1) return value;
  return scope.Call("Squeeze", {value}, {{"squeeze_dims", std::vector<int64_t>{-1}}});
}

}  // namespace

Variable Count(Scope& scope, const std::string& name, const Shape& shape, DType dtype) {
  return MakeNamedVariable(scope, {.name = JoinName(scope.builder().scope(), name),
                                   .shape = shape,
                                   .dtype = dtype,
                                   .initializer = Filled(0),
                                   .trainable = false,
                                   .local = true});
}

Output Added(Scope& scope, const Variable& variable, Output value) {
  return scope.Call("AssignAdd", {variable.ref(), value});
}

Matched Match(Scope& scope, Output labels, Output predictions) {
  const Output same_labels = WithoutLastOne(scope, labels, predictions);
  const Output same_predictions = WithoutLastOne(scope, predictions, labels);
  Require(same_labels.shape().IsCompatibleWith(same_predictions.shape()), "labels of shape ", labels.shape().ToString(),
          " do not fit predictions of shape ", predictions.shape().ToString(), ": both must have one shape");
  return {same_labels, same_predictions};
}

Output WeightsOf(Scope& scope, const std::optional<Output>& weights, Output values) {
  if (!weights) return scope.Call("OnesLike", {AsFloat(values)});
  const Output fitting = AsFloat(WithoutLastOne(scope, *weights, values));
  CheckWeights(fitting, values, "values");
  return BroadcastWeights(scope, fitting, AsFloat(values));
}

}  // namespace plumb::metrics
