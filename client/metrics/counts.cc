#include "client/metrics/counts.h"

namespace plumb::metrics {
namespace {

Output And(Scope& scope, Output a, Output b) { return scope.Call("LogicalAnd", {a, b}); }

// Of labels and predictions that are `label` and `prediction`.
Metric CountOf(Scope& scope, Output labels, Output predictions, bool label, bool prediction, const char* name,
               const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, name));
  const auto [z, p] = Match(scope, AsType(labels, DType::kBool), AsType(predictions, DType::kBool));
  const Output counted = And(scope, label ? z : !z, prediction ? p : !p);
  const Output weights = WeightsOf(scope, options.weights, counted);
  const Variable count = Count(scope, "count");
  return {count.value(), Added(scope, count, SumOfAll(scope, AsFloat(counted) * weights))};
}

// hits / (hits + misses), before and after this step.
Metric Share(Scope& scope, const Metric& hits, const Metric& misses) {
  return {SafeQuotient(scope, hits.value, hits.value + misses.value),
          SafeQuotient(scope, hits.update, hits.update + misses.update)};
}

// The share with the small number that TensorFlow adds at thresholds.
Metric ShareAtThresholds(const Metric& hits, const Metric& misses) {
  constexpr double kEpsilon = 1e-7;
  return {hits.value / (hits.value + misses.value + kEpsilon), hits.update / (hits.update + misses.update + kEpsilon)};
}

MetricOptions Unnamed(const MetricOptions& options) { return {.weights = options.weights}; }

// A row with the value for each threshold, beneath which all are compared.
Output Thresholds(Scope& scope, const std::vector<double>& thresholds) {
  Require(!thresholds.empty(), "there is no threshold to count at");
  const std::vector<float> floats(thresholds.begin(), thresholds.end());
  return Constant(scope, MakeTensor<float>({static_cast<int64_t>(floats.size()), 1}, floats));
}

}  // namespace

Metric TruePositives(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  return CountOf(scope, labels, predictions, true, true, "true_positives", options);
}
Metric TrueNegatives(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  return CountOf(scope, labels, predictions, false, false, "true_negatives", options);
}
Metric FalsePositives(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  return CountOf(scope, labels, predictions, false, true, "false_positives", options);
}
Metric FalseNegatives(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  return CountOf(scope, labels, predictions, true, false, "false_negatives", options);
}

Metric Precision(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "precision"));
  const Metric hits = TruePositives(scope, labels, predictions, Unnamed(options));
  return Share(scope, hits, FalsePositives(scope, labels, predictions, Unnamed(options)));
}

Metric Recall(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "recall"));
  const Metric hits = TruePositives(scope, labels, predictions, Unnamed(options));
  return Share(scope, hits, FalseNegatives(scope, labels, predictions, Unnamed(options)));
}

Confusion ConfusionAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                                const std::optional<Output>& weights) {
  const auto [z, p] = Match(scope, AsType(labels, DType::kBool), AsFloat(predictions));
  const Output broadcast = Flat(scope, WeightsOf(scope, weights, p));
  // [1, predictions] beside [thresholds, 1].
  const Output row = Constant<int32_t>(scope, {1, -1});
  const Output positive = scope.Call("Reshape", {p, row}) > Thresholds(scope, thresholds);
  const Output label = scope.Call("LogicalOr", {scope.Call("Reshape", {z, row}), scope.Call("ZerosLike", {positive})});
  const auto count = [&](Output labelled, Output predicted, const char* name) -> Metric {
    const Variable total = Count(scope, name, {static_cast<int64_t>(thresholds.size())});
    const Output weighted = AsFloat(And(scope, labelled, predicted)) * broadcast;
    return {total.value(), Added(scope, total, scope.Call("Sum", {weighted, Constant<int32_t>(scope, {1})}))};
  };
  Confusion confusion;
  confusion.true_positives = count(label, positive, "true_positives");
  confusion.false_negatives = count(label, !positive, "false_negatives");
  confusion.true_negatives = count(!label, !positive, "true_negatives");
  confusion.false_positives = count(!label, positive, "false_positives");
  return confusion;
}

Metric PrecisionAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                             const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "precision_at_thresholds"));
  const Confusion counts = ConfusionAtThresholds(scope, labels, predictions, thresholds, options.weights);
  return ShareAtThresholds(counts.true_positives, counts.false_positives);
}

Metric RecallAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                          const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, "recall_at_thresholds"));
  const Confusion counts = ConfusionAtThresholds(scope, labels, predictions, thresholds, options.weights);
  return ShareAtThresholds(counts.true_positives, counts.false_negatives);
}

}  // namespace plumb::metrics
