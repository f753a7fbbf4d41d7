#include "client/metrics/counting.h"

namespace plumb::metrics {
namespace {

// The quotient of two sums, before and after this step.
Metric Quotient(Scope& scope, const Variable& total, const Variable& count, Output more, Output weight) {
  const Output value = SafeQuotient(scope, total, count);
  return {value, SafeQuotient(scope, Added(scope, total, more), Added(scope, count, weight))};
}

// In the current scope.
Metric MeanOf(Scope& scope, Output values, const MetricOptions& options) {
  values = AsFloat(values);
  const Output weights = WeightsOf(scope, options.weights, values);
  const Variable total = Count(scope, "total"), count = Count(scope, "count");
  return Quotient(scope, total, count, SumOfAll(scope, values * weights), SumOfAll(scope, weights));
}

struct Floats {
  Output labels, predictions;
};
Floats AsFloats(Scope& scope, Output labels, Output predictions) {
  const Matched matched = Match(scope, labels, predictions);
  return {AsFloat(matched.labels), AsFloat(matched.predictions)};
}

}  // namespace

Metric Mean(Scope& scope, Output values, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "mean"));
  return MeanOf(scope, values, options);
}

Metric MeanTensor(Scope& scope, Output values, const MetricOptions& options) {
  Require(values.shape().IsFullyDefined(), "the mean of a tensor needs values of known shape, not ",
          values.shape().ToString());
  const auto named = scope.Sub(NameOr(options, "mean"));
  values = AsFloat(values);
  const Shape shape = values.shape().ToShape();
  const Output weights = WeightsOf(scope, options.weights, values);
  const Variable total = Count(scope, "total_tensor", shape), count = Count(scope, "count_tensor", shape);
  return Quotient(scope, total, count, values * weights, weights);
}

Metric PercentageBelow(Scope& scope, Output values, double threshold, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "percentage_below_threshold"));
  return MeanOf(scope, values < threshold, options);
}

Metric Accuracy(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "accuracy"));
  const Matched matched = Match(scope, labels, predictions);
  const Output cast = AsType(matched.predictions, labels.dtype());
  return MeanOf(scope, scope.Call("Equal", {cast, matched.labels}), options);
}

Metric MeanAbsoluteError(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "mean_absolute_error"));
  const auto [z, p] = AsFloats(scope, labels, predictions);
  return MeanOf(scope, scope.Call("Abs", {p - z}), options);
}

Metric MeanSquaredError(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "mean_squared_error"));
  const auto [z, p] = AsFloats(scope, labels, predictions);
  return MeanOf(scope, scope.Call("SquaredDifference", {z, p}), options);
}

Metric RootMeanSquaredError(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "root_mean_squared_error"));
  const auto [z, p] = AsFloats(scope, labels, predictions);
  const Metric squares = MeanOf(scope, scope.Call("SquaredDifference", {z, p}), options);
  return {scope.Call("Sqrt", {squares.value}), scope.Call("Sqrt", {squares.update})};
}

Metric MeanRelativeError(Scope& scope, Output labels, Output predictions, Output normalizer,
                         const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "mean_relative_error"));
  const auto [z, p] = AsFloats(scope, labels, predictions);
  const Matched scale = Match(scope, normalizer, z);
  return MeanOf(scope, SafeQuotient(scope, scope.Call("Abs", {z - p}), AsFloat(scale.labels)), options);
}

Metric MeanCosineDistance(Scope& scope, Output labels, Output predictions, int32_t axis, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "mean_cosine_distance"));
  const auto [z, p] = AsFloats(scope, labels, predictions);
  const Output cosines = scope.Call("Sum", {z * p, Constant<int32_t>(scope, {axis})}, {{"keep_dims", true}});
  const Metric mean = MeanOf(scope, cosines, options);
  return {1 - mean.value, 1 - mean.update};
}

}  // namespace plumb::metrics
