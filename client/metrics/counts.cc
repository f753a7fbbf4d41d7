#include "client/metrics/counts.h"

namespace plumb::metrics {
namespace {

constexpr char kTruePositives[] = "true_positives", kTrueNegatives[] = "true_negatives";
constexpr char kFalsePositives[] = "false_positives", kFalseNegatives[] = "false_negatives";

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

MetricOptions Unnamed(const MetricOptions& options) { return {.weights = options.weights}; }

// A row with the value for each threshold, beneath which all are compared.
Output Thresholds(Scope& scope, const std::vector<double>& thresholds) {
  Require(!thresholds.empty(), "there is no threshold to count at");
  const std::vector<float> floats(thresholds.begin(), thresholds.end());
  return Constant(scope, MakeTensor<float>({static_cast<int64_t>(floats.size()), 1}, floats));
}

// Labels and predictions at each threshold, [thresholds, predictions], and the predictions' weights.
struct Compared {
  Output label, positive, weights;
  int64_t thresholds;
};
Compared Compare(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                 const std::optional<Output>& weights) {
  const auto [z, p] = Match(scope, AsType(labels, DType::kBool), AsFloat(predictions));
  const Output broadcast = Flat(scope, WeightsOf(scope, weights, p));
  // [1, predictions] beside [thresholds, 1].
  const Output row = Constant<int32_t>(scope, {1, -1});
  const Output positive = scope.Call("Reshape", {p, row}) > Thresholds(scope, thresholds);
  const Output label = scope.Call("LogicalOr", {scope.Call("Reshape", {z, row}), scope.Call("ZerosLike", {positive})});
  return {label, positive, broadcast, static_cast<int64_t>(thresholds.size())};
}

Metric CountAt(Scope& scope, const Compared& compared, bool label, bool prediction, const char* name) {
  const Output labelled = label ? compared.label : !compared.label;
  const Output counted = And(scope, labelled, prediction ? compared.positive : !compared.positive);
  const Variable total = Count(scope, name, {compared.thresholds});
  const Output weighted = AsFloat(counted) * compared.weights;
  return {total.value(), Added(scope, total, scope.Call("Sum", {weighted, Constant<int32_t>(scope, {1})}))};
}

// In a scope of its own.
Metric CountAlone(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds, bool label,
                  bool prediction, const char* name, const MetricOptions& options) {
  const auto named = scope.Sub(NameOr(options, name));
  return CountAt(scope, Compare(scope, labels, predictions, thresholds, options.weights), label, prediction, name);
}

}  // namespace

Metric TruePositives(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  return CountOf(scope, labels, predictions, true, true, kTruePositives, options);
}
Metric TrueNegatives(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  return CountOf(scope, labels, predictions, false, false, kTrueNegatives, options);
}
Metric FalsePositives(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  return CountOf(scope, labels, predictions, false, true, kFalsePositives, options);
}
Metric FalseNegatives(Scope& scope, Output labels, Output predictions, const MetricOptions& options) {
  return CountOf(scope, labels, predictions, true, false, kFalseNegatives, options);
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
  const Compared compared = Compare(scope, labels, predictions, thresholds, weights);
  Confusion confusion;
  confusion.true_positives = CountAt(scope, compared, true, true, kTruePositives);
  confusion.false_negatives = CountAt(scope, compared, true, false, kFalseNegatives);
  confusion.true_negatives = CountAt(scope, compared, false, false, kTrueNegatives);
  confusion.false_positives = CountAt(scope, compared, false, true, kFalsePositives);
  return confusion;
}

Metric ShareAtThresholds(const Metric& hits, const Metric& misses) {
  constexpr double kEpsilon = 1e-7;
  return {hits.value / (hits.value + misses.value + kEpsilon), hits.update / (hits.update + misses.update + kEpsilon)};
}

std::vector<double> EvenThresholds(int count, double last) {
  Require(count >= 2, "a curve needs at least two thresholds, not ", count);
  std::vector<double> thresholds = {-kBesideOutermost};
  for (int i = 1; i + 1 < count; ++i) thresholds.push_back(static_cast<double>(i) / (count - 1));
  thresholds.push_back(last);
  return thresholds;
}

Metric TruePositivesAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                                 const MetricOptions& options) {
  return CountAlone(scope, labels, predictions, thresholds, true, true, kTruePositives, options);
}
Metric TrueNegativesAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                                 const MetricOptions& options) {
  return CountAlone(scope, labels, predictions, thresholds, false, false, kTrueNegatives, options);
}
Metric FalsePositivesAtThresholds(Scope& scope, Output labels, Output predictions,
                                  const std::vector<double>& thresholds, const MetricOptions& options) {
  return CountAlone(scope, labels, predictions, thresholds, false, true, kFalsePositives, options);
}
Metric FalseNegativesAtThresholds(Scope& scope, Output labels, Output predictions,
                                  const std::vector<double>& thresholds, const MetricOptions& options) {
  return CountAlone(scope, labels, predictions, thresholds, true, false, kFalseNegatives, options);
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
