// Counts of right and wrong predictions, for the metrics that are made of them.
#pragma once

#include "client/metrics/counting.h"

namespace plumb::metrics {

struct Confusion {
  Metric true_positives, false_negatives, true_negatives, false_positives;
};
// Vectors: for each threshold, which a prediction of true has to exceed.
Confusion ConfusionAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                                const std::optional<Output>& weights);

// hits / (hits + misses) with the small number beneath that TensorFlow adds at thresholds.
Metric ShareAtThresholds(const Metric& hits, const Metric& misses);
// Evenly from just below 0, so that 0 itself lies above it, to `last`. kInvalidArgument for fewer than two.
std::vector<double> EvenThresholds(int count, double last);
// By how much TensorFlow's outermost thresholds lie beside 0 and 1.
constexpr double kBesideOutermost = 1e-7;

}  // namespace plumb::metrics
