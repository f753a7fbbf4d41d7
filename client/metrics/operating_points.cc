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

struct Shares {
  Metric sensitivities, specificities;  // at each threshold
};
Shares SharesAt(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                const std::optional<Output>& weights) {
  const Confusion counts = ConfusionAtThresholds(scope, labels, predictions, thresholds, weights);
  return {.sensitivities = ShareAtThresholds(counts.true_positives, counts.false_negatives),
          .specificities = ShareAtThresholds(counts.true_negatives, counts.false_positives)};
}

// What the one is at the threshold where the other is nearest to the wanted share, of several the one that is chosen.
Metric WhereNearest(Scope& scope, const Metric& one, const Metric& other, double wanted,
                    Output (*choose)(Scope&, Output)) {
  const auto at = [&](Output Metric::*when) {
    return At(scope, one.*when, choose(scope, DistanceTo(scope, other.*when, wanted)));
  };
  return {at(&Metric::value), at(&Metric::update)};
}

}  // namespace

Metric SensitivityAtSpecificity(Scope& scope, Output labels, Output predictions, double specificity, int num_thresholds,
                                const MetricOptions& options) {
  CheckShare("specificity", specificity);
  const auto named = scope.Sub(NameOr(options, "sensitivity_at_specificity"));
  const std::vector<double> thresholds = EvenThresholds(num_thresholds, 1 + kBesideOutermost);
  const Shares shares = SharesAt(scope, labels, predictions, thresholds, options.weights);
  return WhereNearest(scope, shares.sensitivities, shares.specificities, specificity, FirstOfTheLeast);
}

// The last threshold lies below 1, as TensorFlow has it here.
Metric SpecificityAtSensitivity(Scope& scope, Output labels, Output predictions, double sensitivity, int num_thresholds,
                                const MetricOptions& options) {
  CheckShare("sensitivity", sensitivity);
  const auto named = scope.Sub(NameOr(options, "specificity_at_sensitivity"));
  const std::vector<double> thresholds = EvenThresholds(num_thresholds, 1 - kBesideOutermost);
  const Shares shares = SharesAt(scope, labels, predictions, thresholds, options.weights);
  return WhereNearest(scope, shares.specificities, shares.sensitivities, sensitivity, LastOfTheLeast);
}

}  // namespace plumb::metrics
