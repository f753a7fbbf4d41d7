#include "client/metrics/counting.h"

namespace plumb::metrics {
namespace {

struct Classes {
  Output labels, predictions, weights;  // vectors of int64, of float32
};
Classes AsClasses(Scope& scope, Output labels, Output predictions, int64_t num_classes, const MetricOptions& options) {
  Require(num_classes > 0, "a metric by class needs a positive number of classes, not ", num_classes);
  const auto [z, p] = Match(scope, AsType(labels, DType::kInt64), AsType(predictions, DType::kInt64));
  return {Flat(scope, z), Flat(scope, p), Flat(scope, WeightsOf(scope, options.weights, z))};
}

Output SumAlong(Scope& scope, Output matrix, int32_t axis) {
  return scope.Call("Sum", {matrix, Constant<int32_t>(scope, {axis})});
}

// Of a confusion matrix.
Output MeanIntersectionOverUnion(Scope& scope, Output matrix) {
  const Output hits = AsFloat(scope.Call("DiagPart", {matrix}));
  const Output both = AsFloat(SumAlong(scope, matrix, 0)) + AsFloat(SumAlong(scope, matrix, 1)) - hits;
  const Output classes = SumOfAll(scope, AsFloat(both > 0));
  return SafeQuotient(scope, SumOfAll(scope, SafeQuotient(scope, hits, both)), classes);
}

}  // namespace

Metric MeanIou(Scope& scope, Output labels, Output predictions, int64_t num_classes, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "mean_iou"));
  const Classes classes = AsClasses(scope, labels, predictions, num_classes, options);
  const Variable matrix = Count(scope, "total_confusion_matrix", {num_classes, num_classes}, DType::kDouble);
  const Output cells =
      scope.Call("Pack", {classes.labels, classes.predictions}, {{"N", int64_t{2}}, {"axis", int64_t{1}}});
  const Output shape = Constant<int64_t>(scope, {num_classes, num_classes});
  const Output step = scope.Call("ScatterNd", {cells, AsType(classes.weights, DType::kDouble), shape});
  return {MeanIntersectionOverUnion(scope, matrix), Added(scope, matrix, step)};
}

Metric MeanPerClassAccuracy(Scope& scope, Output labels, Output predictions, int64_t num_classes,
                            const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "mean_accuracy"));
  const Classes classes = AsClasses(scope, labels, predictions, num_classes, options);
  const Variable total = Count(scope, "total", {num_classes}), count = Count(scope, "count", {num_classes});
  const Output hits = AsFloat(scope.Call("Equal", {classes.labels, classes.predictions})) * classes.weights;
  const Output value = SumOfAll(scope, SafeQuotient(scope, count, total)) / static_cast<double>(num_classes);
  const auto add = [&](const Variable& variable, Output more) {
    return scope.Call("ScatterAdd", {variable.ref(), classes.labels, more});
  };
  return {value, SafeQuotient(scope, add(count, hits), add(total, classes.weights))};
}

}  // namespace plumb::metrics
