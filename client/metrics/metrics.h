// Metrics that are counted over many steps.
//
// Each makes local variables (Scope::local_variables; InitializeLocal sets them to zero and so begins a new count)
// under a name of TensorFlow's, such as "accuracy/total". Labels, predictions and values have one shape, or one of them
// a last axis of size 1 more; weights are a scalar, or have that rank with each dimension equal or 1. kInvalidArgument
// where known shapes do not fit. A metric of nothing is 0, where no other number is named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/variable.h"

namespace plumb::metrics {

struct Metric {
  Output value;   // of all steps so far
  Output update;  // takes this step's values in, and gives the metric then
};

struct MetricOptions {
  std::optional<Output> weights = {};  // none: 1
  std::string name = {};               // of its scope; TensorFlow's
};

// Σ weights · values / Σ weights. Values and weights are cast to float32, here and below.
Metric Mean(Scope& scope, Output values, const MetricOptions& options = {});
// The same for each element of values of known shape.
Metric MeanTensor(Scope& scope, Output values, const MetricOptions& options = {});
// The share of values that are smaller than the threshold.
Metric PercentageBelow(Scope& scope, Output values, double threshold, const MetricOptions& options = {});
// The share of predictions that equal their labels.
Metric Accuracy(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
Metric MeanAbsoluteError(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
Metric MeanSquaredError(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
Metric RootMeanSquaredError(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
// |labels − predictions| / normalizer, 0 where the normalizer is 0.
Metric MeanRelativeError(Scope& scope, Output labels, Output predictions, Output normalizer,
                         const MetricOptions& options = {});
// 1 − Σ labels · predictions along the axis, both of length 1 there. Weights: of that sum, which keeps the axis.
Metric MeanCosineDistance(Scope& scope, Output labels, Output predictions, int32_t axis,
                          const MetricOptions& options = {});

// Sums of weights. Labels and predictions are bool, or cast to it: all but 0 is true.
Metric TruePositives(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
Metric TrueNegatives(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
Metric FalsePositives(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
Metric FalseNegatives(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
// True positives over all that was predicted to be true, and over all that is true.
Metric Precision(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
Metric Recall(Scope& scope, Output labels, Output predictions, const MetricOptions& options = {});
// The same for float predictions, true where they exceed a threshold: a vector, one for each threshold.
Metric PrecisionAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                             const MetricOptions& options = {});
Metric RecallAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                          const MetricOptions& options = {});

// Those counts at thresholds, which a prediction of true has to exceed: vectors.
Metric TruePositivesAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                                 const MetricOptions& options = {});
Metric TrueNegativesAtThresholds(Scope& scope, Output labels, Output predictions, const std::vector<double>& thresholds,
                                 const MetricOptions& options = {});
Metric FalsePositivesAtThresholds(Scope& scope, Output labels, Output predictions,
                                  const std::vector<double>& thresholds, const MetricOptions& options = {});
Metric FalseNegativesAtThresholds(Scope& scope, Output labels, Output predictions,
                                  const std::vector<double>& thresholds, const MetricOptions& options = {});

// The sensitivity, which is the recall of what is true, at the threshold where the specificity, the recall of what is
// false, is nearest to the given one, and the other way round. Of equally near thresholds, evenly between 0 and 1, it
// is the lowest, and the highest. At least two of them.
Metric SensitivityAtSpecificity(Scope& scope, Output labels, Output predictions, double specificity,
                                int num_thresholds = 200, const MetricOptions& options = {});
Metric SpecificityAtSensitivity(Scope& scope, Output labels, Output predictions, double sensitivity,
                                int num_thresholds = 200, const MetricOptions& options = {});

struct AtKOptions {
  std::optional<int64_t> class_id = {};  // counts this class alone; none: all
  MetricOptions metric = {};             // weights are of examples
};
// Of predictions, [..., classes], and labels, integers [...] or [..., labels], the k likeliest classes of each example
// beside those that are right: the share of them that is right, and the share of the right ones that is among them.
// float64; NaN of nothing.
Metric PrecisionAtK(Scope& scope, Output labels, Output predictions, int k, const AtKOptions& options = {});
Metric RecallAtK(Scope& scope, Output labels, Output predictions, int k, const AtKOptions& options = {});
// The mean over examples of the precisions at each of their hits, over the most hits that there can be. Labels that are
// no classes do not count; NaN once an example had no others, 0 of no examples.
Metric AveragePrecisionAtK(Scope& scope, Output labels, Output predictions, int k, const MetricOptions& options = {});

enum class Curve { kRoc, kPrecisionRecall };
enum class AreaSum { kTrapezoidal, kMinoring, kMajoring };
struct AucOptions {
  int num_thresholds = 200;  // evenly between 0 and 1, the outermost just outside; at least 2
  Curve curve = Curve::kRoc;
  AreaSum sum = AreaSum::kTrapezoidal;
  MetricOptions metric = {};
};
// The area under a curve of predictions within [0, 1], as a Riemann sum over thresholds.
Metric Auc(Scope& scope, Output labels, Output predictions, const AucOptions& options = {});

// Σ of true positives / (true positives + false ones + false negatives) over the classes that occur, by their number.
// Labels and predictions are integers in [0, num_classes). The update gives the confusion matrix, [labels,
// predictions].
Metric MeanIou(Scope& scope, Output labels, Output predictions, int64_t num_classes, const MetricOptions& options = {});
// The mean of each class's accuracy, 0 for one that does not occur. The update gives the classes' accuracies.
Metric MeanPerClassAccuracy(Scope& scope, Output labels, Output predictions, int64_t num_classes,
                            const MetricOptions& options = {});

}  // namespace plumb::metrics
