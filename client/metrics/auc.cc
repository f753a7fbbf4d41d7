#include "client/metrics/counts.h"

namespace plumb::metrics {
namespace {

struct Counts {
  Output true_positives, false_negatives, true_negatives, false_positives;
};

// All points but the last or all but the first.
Output Points(Scope& scope, Output curve, int begin, int size) {
  return scope.Call("Slice", {curve, Constant<int32_t>(scope, {begin}), Constant<int32_t>(scope, {size})});
}

// Σ of widths times heights between neighbouring points; x falls as thresholds grow.
Output Area(Scope& scope, Output x, Output y, const AucOptions& options) {
  const int pieces = options.num_thresholds - 1;
  const Output width = Points(scope, x, 0, pieces) - Points(scope, x, 1, pieces);
  const Output left = Points(scope, y, 0, pieces), right = Points(scope, y, 1, pieces);
  const auto height = [&] {
    switch (options.sum) {
      case AreaSum::kTrapezoidal:
        return (left + right) / 2;
      case AreaSum::kMinoring:
        return scope.Call("Minimum", {left, right});
      case AreaSum::kMajoring:
        return scope.Call("Maximum", {left, right});
    }
    throw Internal("a sum of areas that does not exist");
  };
  return SumOfAll(scope, width * height());
}

Output AreaOf(Scope& scope, const Counts& counts, const AucOptions& options) {
  constexpr double kEpsilon = 1e-6;
  const Output hits = counts.true_positives + kEpsilon;
  const Output recall = hits / (counts.true_positives + counts.false_negatives + kEpsilon);
  if (options.curve == Curve::kPrecisionRecall) {
    const Output precision = hits / (counts.true_positives + counts.false_positives + kEpsilon);
    return Area(scope, recall, precision, options);
  }
  const Output false_rate = counts.false_positives / (counts.false_positives + counts.true_negatives + kEpsilon);
  return Area(scope, false_rate, recall, options);
}

}  // namespace

Metric Auc(Scope& scope, Output labels, Output predictions, const AucOptions& options) {
  const auto named = scope.Sub(NameOr(options.metric, "auc"));
  const std::vector<double> thresholds = EvenThresholds(options.num_thresholds, 1 + kBesideOutermost);
  const Confusion counts = ConfusionAtThresholds(scope, labels, predictions, thresholds, options.metric.weights);
  const auto area = [&](Output Metric::*when) {
    return AreaOf(scope,
                  {counts.true_positives.*when, counts.false_negatives.*when, counts.true_negatives.*when,
                   counts.false_positives.*when},
                  options);
  };
  return {area(&Metric::value), area(&Metric::update)};
}

}  // namespace plumb::metrics
