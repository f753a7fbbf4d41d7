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

}  // namespace plumb::metrics
