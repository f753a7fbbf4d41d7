#include "client/metrics/counts.h"

namespace plumb::metrics {
namespace {

// How far the shares are from the wanted one.
Output DistanceTo(Scope& scope, Output shares, double wanted) { return scope.Call("Abs", {shares - wanted}); }

Output FirstOfTheLeast(Scope& scope, Output values) { return scope.Call("ArgMin", {values, Constant(scope, 0)}); }

Output LastOfTheLeast(Scope& scope, Output values) {
  const Output axis = Constant(scope, 0), least = scope.Call("Min", {values, axis});
  const Output so_far = scope.Call("Cumsum", {AsType(scope.Call("Equal", {values, least}), DType::kInt64), axis});
  return scope.Call("ArgMax", {so_far, axis});
}

Output At(Scope& scope, Output values, Output index) {
  return scope.Call("GatherV2", {values, index, Constant(scope, 0)});
}

void CheckShare(const char* what, double share) {
  Require(share >= 0 && share <= 1, "a ", what, " lies within [0, 1], unlike ", share);
}

}  // namespace

Metric SensitivityAtSpecificity(Scope& scope, Output labels, Output predictions, double specificity, int num_thresholds,
                                const MetricOptions& options) {
  CheckShare("specificity", specificity);
  const auto named = scope.Sub(NameOr(options, "sensitivity_at_specificity"));
  const Confusion counts = ConfusionAtThresholds(scope, labels, predictions,
                                                 EvenThresholds(num_thresholds, 1 + kBesideOutermost), options.weights);
  const Metric sensitivities = ShareAtThresholds(counts.true_positives, counts.false_negatives);
  const Metric specificities = ShareAtThresholds(counts.true_negatives, counts.false_positives);
  const auto value = [&](Output Metric::*when) {
    const Output point = FirstOfTheLeast(scope, DistanceTo(scope, specificities.*when, specificity));
    return At(scope, sensitivities.*when, point);
  };
  return {value(&Metric::value), value(&Metric::update)};
}

// The last threshold lies below 1, as TensorFlow has it here.
Metric SpecificityAtSensitivity(Scope& scope, Output labels, Output predictions, double sensitivity, int num_thresholds,
                                const MetricOptions& options) {
  CheckShare("sensitivity", sensitivity);
  const auto named = scope.Sub(NameOr(options, "specificity_at_sensitivity"));
  const Confusion counts = ConfusionAtThresholds(scope, labels, predictions,
                                                 EvenThresholds(num_thresholds, 1 - kBesideOutermost), options.weights);
  const Metric sensitivities = ShareAtThresholds(counts.true_positives, counts.false_negatives);
  const Metric specificities = ShareAtThresholds(counts.true_negatives, counts.false_positives);
  const auto value = [&](Output Metric::*when) {
    const Output point = LastOfTheLeast(scope, DistanceTo(scope, sensitivities.*when, sensitivity));
    return At(scope, specificities.*when, point);
  };
  return {value(&Metric::value), value(&Metric::update)};
}

}  // namespace plumb::metrics
