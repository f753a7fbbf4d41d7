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

void CheckWeights(const PartialShape& weights, const PartialShape& values) {
  if (!weights.has_rank() || !values.has_rank() || weights.rank() == 0) return;
  bool fits = weights.rank() == values.rank();
  for (int axis = 0; fits && axis < weights.rank(); ++axis) {
    const int64_t mine = weights.dim(axis), theirs = values.dim(axis);
    fits = mine == 1 || mine < 0 || theirs < 0 || mine == theirs;
  }
  Require(fits, "weights of shape ", weights.ToString(), " do not fit values of shape ", values.ToString(),
          ": they must be a scalar, or have as many axes, each of equal size or 1");
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

Output Flat(Scope& scope, Output value) { return scope.Call("Reshape", {value, Constant<int32_t>(scope, {-1})}); }

Output SumOfAll(Scope& scope, Output value) {
  return scope.Call("Sum", {Flat(scope, value), Constant<int32_t>(scope, {0})});
}

Output SafeQuotient(Scope& scope, Output a, Output b) { return scope.Call("DivNoNan", {a, b}); }

Matched Match(Scope& scope, Output labels, Output predictions) {
  const Output same_labels = WithoutLastOne(scope, labels, predictions);
  const Output same_predictions = WithoutLastOne(scope, predictions, labels);
  Require(same_labels.shape().IsCompatibleWith(same_predictions.shape()), "labels of shape ", labels.shape().ToString(),
          " do not fit predictions of shape ", predictions.shape().ToString(), ": both must have one shape");
  return {same_labels, same_predictions};
}

Output Spread(Scope& scope, const std::optional<Output>& weights, Output values) {
  const Output ones = scope.Call("OnesLike", {AsFloat(values)});
  if (!weights) return ones;
  const Output fitting = AsFloat(WithoutLastOne(scope, *weights, values));
  CheckWeights(fitting.shape(), values.shape());
  return fitting * ones;
}

}  // namespace plumb::metrics
