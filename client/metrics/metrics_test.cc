// Metrics over two steps, counted by hand.
#include "client/metrics/metrics.h"

#include <cmath>

#include "client/program.h"
#include "client/testing.h"

namespace plumb::metrics {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

class Metrics : public OnEachBackend {
 protected:
  // The value at first, then after each of `steps` updates with what they gave, then the value again.
  struct History {
    std::vector<std::vector<double>> updates;
    std::vector<double> before, after;
  };
  History Run(const Metric& metric, const std::vector<std::vector<FeedValue>>& steps = {{}}) {
    const NodeId init = InitializeLocal(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    History history;
    history.before = Numbers(program.Fetch(metric.value));
    for (const auto& feeds : steps) history.updates.push_back(Numbers(program.Fetch(metric.update, feeds)));
    history.after = Numbers(program.Fetch(metric.value));
    // An update gives what the value is from then on; of confusions and classes it gives more.
    const std::vector<double>& last = history.updates.back();
    if (last.size() == history.after.size()) {
      EXPECT_THAT(last, ::testing::Pointwise(::testing::NanSensitiveDoubleEq(), history.after));
    }
    return history;
  }
  float After(const Metric& metric) { return static_cast<float>(Run(metric).after.at(0)); }
  // Of a metric in float64.
  float AfterInDouble(const Metric& metric) {
    return After({AsType(metric.value, DType::kFloat), AsType(metric.update, DType::kFloat)});
  }
  Output Longs(const Shape& shape, const std::vector<int64_t>& values) {
    return Constant(scope_, MakeTensor<int64_t>(shape, values));
  }
  // Three examples of four classes, of which the likeliest are 3, 1; 0, 2; 1, 2.
  Output Likelihoods() { return Matrix(3, 4, {0.1, 0.3, 0.2, 0.4, 0.4, 0.1, 0.3, 0.2, 0.25, 0.35, 0.3, 0.1}); }
  Output Bools(std::initializer_list<bool> values) { return Constant(scope_, MakeVector<bool>(values)); }
  Output Ints(std::initializer_list<int32_t> values) { return Constant(scope_, values); }
};

TEST_P(Metrics, AreCountedOverSteps) {
  const Output values = Input(PartialShape({-1}), "values");
  const Metric mean = Mean(scope_, values);
  const History history = Run(mean, {{{values, MakeVector<float>({1, 3})}}, {{values, MakeVector<float>({8})}}});
  EXPECT_THAT(history.before, ElementsAre(0)) << "of nothing";
  EXPECT_THAT(history.updates, ElementsAre(ElementsAre(2), ElementsAre(4)));
  EXPECT_THAT(history.after, ElementsAre(4));
}

TEST_P(Metrics, HaveLocalVariablesWithTensorFlowsNames) {
  Accuracy(scope_, Ints({1}), Ints({1}));
  Precision(scope_, Bools({true}), Bools({true}));
  Mean(scope_, Floats({1}));
  Mean(scope_, Floats({1}));
  std::vector<std::string> names;
  for (const Variable& variable : scope_.local_variables()) names.push_back(variable.name());
  EXPECT_THAT(names, ElementsAre("accuracy/total", "accuracy/count", "precision/true_positives/count",
                                 "precision/false_positives/count", "mean/total", "mean/count", "mean_1/total",
                                 "mean_1/count"));
  EXPECT_TRUE(scope_.variables().empty());
}

TEST_P(Metrics, OfErrors) {
  const Output labels = Floats({1, 2, 3}), predictions = Floats({1, 4, 0});
  EXPECT_THAT(After(MeanAbsoluteError(scope_, labels, predictions)), FloatEq(5.0f / 3));
  EXPECT_THAT(After(MeanSquaredError(scope_, labels, predictions)), FloatEq(13.0f / 3));
  EXPECT_THAT(After(RootMeanSquaredError(scope_, labels, predictions)), FloatEq(std::sqrt(13.0f / 3)));
  EXPECT_THAT(After(MeanRelativeError(scope_, labels, predictions, Floats({5, 4, 0}))), FloatEq(0.5f / 3));
  EXPECT_THAT(After(MeanSquaredError(scope_, labels, predictions, {.weights = Floats({3, 1, 0})})), FloatEq(1));
  EXPECT_THAT(After(MeanCosineDistance(scope_, Matrix(2, 2, {1, 0, 0, 1}), Matrix(2, 2, {1, 0, 1, 0}), 1)),
              FloatEq(0.5));
}

TEST_P(Metrics, OfHits) {
  EXPECT_THAT(After(Accuracy(scope_, Ints({1, 2, 3, 4}), Ints({1, 2, 3, 0}))), FloatEq(0.75));
  EXPECT_THAT(After(Accuracy(scope_, Ints({1, 2}), Matrix(2, 1, {1, 0}))), FloatEq(0.5))
      << "a last axis of 1 is dropped";
  EXPECT_THAT(After(Accuracy(scope_, Ints({1, 2}), Ints({1, 0}), {.weights = Floats({3, 1})})), FloatEq(0.75));
  EXPECT_THAT(After(PercentageBelow(scope_, Floats({1, 2, 3, 4}), 2)), FloatEq(0.25));
}

TEST_P(Metrics, OfEachElement) {
  const Metric mean = MeanTensor(scope_, Matrix(1, 2, {4, 6}), {.weights = Matrix(1, 2, {1, 0})});
  EXPECT_THAT(Run(mean).after, ElementsAre(4, 0));
}

// Of ten, so that no two counts are equal.
TEST_P(Metrics, OfBinaryClasses) {
  const Output labels = Bools({true, true, true, true, true, false, false, false, false, false});
  const Output predictions = Ints({1, 1, 1, 1, 0, 7, 7, 0, 0, 0});
  EXPECT_THAT(After(TruePositives(scope_, labels, predictions)), FloatEq(4));
  EXPECT_THAT(After(TrueNegatives(scope_, labels, predictions)), FloatEq(3));
  EXPECT_THAT(After(FalsePositives(scope_, labels, predictions)), FloatEq(2));
  EXPECT_THAT(After(FalseNegatives(scope_, labels, predictions)), FloatEq(1));
  EXPECT_THAT(After(Precision(scope_, labels, predictions)), FloatEq(4.0f / 6));
  const Output weights = Floats({1, 5, 1, 2, 3, 1, 1, 1, 1, 1});
  EXPECT_THAT(After(Recall(scope_, labels, predictions, {.weights = weights})), FloatEq(0.75));
  EXPECT_THAT(After(Precision(scope_, labels, Ints({0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))), FloatEq(0))
      << "nothing was predicted to be true";
}

TEST_P(Metrics, AtThresholds) {
  const Output labels = Bools({true, false, true}), predictions = Floats({0.9, 0.6, 0.3});
  // What lies on a threshold is not above it.
  const auto precision = Run(PrecisionAtThresholds(scope_, labels, predictions, {0.5, 0.6})).after;
  EXPECT_THAT((std::vector<float>(precision.begin(), precision.end())),
              ElementsAre(FloatEq(0.5), FloatEq(1 / 1.0000001f)));
  const auto recall = Run(RecallAtThresholds(scope_, labels, predictions, {0.1, 0.95})).after;
  EXPECT_THAT((std::vector<float>(recall.begin(), recall.end())), ElementsAre(FloatEq(1), FloatEq(0)));
}

// Counts recorded from TensorFlow.
TEST_P(Metrics, OfBinaryClassesAtThresholds) {
  const Output labels = Ints({1, 1, 1, 0, 0, 0, 1, 0});
  const Output predictions = Floats({0.1, 0.6, 0.9, 0.2, 0.55, 0.8, 0.45, 0.05});
  const std::vector<double> thresholds = {0.15, 0.5, 0.85};
  const MetricOptions weighted = {.weights = Floats({1, 2, 1, 3, 1, 0.5, 1, 1})};
  const auto counts = [&](auto metric, const MetricOptions& options) {
    return Run(metric(scope_, labels, predictions, thresholds, options)).after;
  };
  EXPECT_THAT(counts(TruePositivesAtThresholds, {}), ElementsAre(3, 2, 1));
  EXPECT_THAT(counts(FalsePositivesAtThresholds, {}), ElementsAre(3, 2, 0));
  EXPECT_THAT(counts(TrueNegativesAtThresholds, {}), ElementsAre(1, 2, 4));
  EXPECT_THAT(counts(FalseNegativesAtThresholds, {}), ElementsAre(1, 2, 3));
  EXPECT_THAT(counts(TruePositivesAtThresholds, weighted), ElementsAre(4, 3, 1));
  EXPECT_THAT(counts(FalsePositivesAtThresholds, weighted), ElementsAre(4.5, 1.5, 0));
  EXPECT_THAT(counts(TrueNegativesAtThresholds, weighted), ElementsAre(1, 4, 5.5));
  EXPECT_THAT(counts(FalseNegativesAtThresholds, weighted), ElementsAre(1, 2, 4));
  EXPECT_EQ(scope_.local_variables()[0].name(), "true_positives/true_positives");
  EXPECT_EQ(scope_.local_variables().size(), 8u);
}

// Recorded from TensorFlow. Above ¼, ½ and ¾ lie 3, 2 and 1 of the true ones and 2, 2 and 1 of the false ones.
TEST_P(Metrics, AtPointsOfACurve) {
  const Output labels = Ints({1, 1, 1, 0, 0, 0, 1, 0});
  const Output predictions = Floats({0.1, 0.6, 0.9, 0.2, 0.55, 0.8, 0.45, 0.05});
  const auto sensitivity = [&](double at) {
    return After(SensitivityAtSpecificity(scope_, labels, predictions, at, /*num_thresholds=*/5));
  };
  const auto specificity = [&](double at, int num_thresholds = 5) {
    return After(SpecificityAtSensitivity(scope_, labels, predictions, at, num_thresholds));
  };
  EXPECT_THAT((std::vector<float>{sensitivity(0), sensitivity(0.4), sensitivity(0.75), sensitivity(1)}),
              ElementsAre(FloatEq(1), FloatEq(0.75), FloatEq(0.25), FloatEq(0)));
  EXPECT_THAT((std::vector<float>{specificity(0), specificity(0.4), specificity(0.75), specificity(1)}),
              ElementsAre(FloatEq(1), FloatEq(0.5), FloatEq(0.5), FloatEq(0)));
  EXPECT_THAT(specificity(0.75, 9), FloatEq(0.5)) << "of thresholds from 1/8 to 3/8 the last";
  const MetricOptions weighted = {.weights = Floats({1, 2, 1, 3, 1, 0.5, 1, 1})};
  EXPECT_THAT(After(SensitivityAtSpecificity(scope_, labels, predictions, 0.7, 200, weighted)), FloatEq(0.8f));
  EXPECT_THAT(After(SpecificityAtSensitivity(scope_, labels, predictions, 0.7, 200, weighted)), FloatEq(0.90909094f));
}

// Recorded from TensorFlow.
TEST_P(Metrics, OfTheLikeliestClasses) {
  const Output labels = Longs({3, 2}, {3, 0, 1, 2, 1, 2}), likelihoods = Likelihoods();
  const auto precision = [&](int k) { return AfterInDouble(PrecisionAtK(scope_, labels, likelihoods, k)); };
  const auto recall = [&](int k) { return AfterInDouble(RecallAtK(scope_, labels, likelihoods, k)); };
  const auto average = [&](int k) { return AfterInDouble(AveragePrecisionAtK(scope_, labels, likelihoods, k)); };
  EXPECT_THAT((std::vector<float>{precision(1), precision(2), precision(3)}),
              ElementsAre(FloatEq(2.0f / 3), FloatEq(2.0f / 3), FloatEq(4.0f / 9)));
  EXPECT_THAT((std::vector<float>{recall(1), recall(2), recall(3)}),
              ElementsAre(FloatEq(1.0f / 3), FloatEq(2.0f / 3), FloatEq(2.0f / 3)));
  EXPECT_THAT((std::vector<float>{average(1), average(2), average(3)}),
              ElementsAre(FloatEq(2.0f / 3), FloatEq(7.0f / 12), FloatEq(7.0f / 12)));
  const MetricOptions weighted = {.weights = Floats({1, 2, 0.5})};
  EXPECT_THAT(AfterInDouble(PrecisionAtK(scope_, labels, likelihoods, 2, {.metric = weighted})), FloatEq(4.0f / 7));
  EXPECT_THAT(AfterInDouble(RecallAtK(scope_, labels, likelihoods, 2, {.metric = weighted})), FloatEq(4.0f / 7));
  EXPECT_THAT(AfterInDouble(AveragePrecisionAtK(scope_, labels, likelihoods, 2, weighted)), FloatEq(3.0f / 7));
  EXPECT_EQ(AfterInDouble(AveragePrecisionAtK(scope_, labels, likelihoods, 2, {.weights = Float(0)})), 0);
}

// Class 1 is likely and wrong, unlikely and right, likely and right.
TEST_P(Metrics, OfTheLikeliestClassesCountOneClass) {
  const Output labels = Longs({3, 2}, {3, 0, 1, 2, 1, 2}), likelihoods = Likelihoods();
  const AtKOptions options = {.class_id = 1, .metric = {.weights = Floats({1, 2, 0.5})}};
  EXPECT_THAT(AfterInDouble(PrecisionAtK(scope_, labels, likelihoods, 2, {.class_id = 1})), FloatEq(0.5));
  EXPECT_THAT(AfterInDouble(PrecisionAtK(scope_, labels, likelihoods, 2, options)), FloatEq(1.0f / 3));
  EXPECT_THAT(AfterInDouble(RecallAtK(scope_, labels, likelihoods, 2, options)), FloatEq(0.2f));
  EXPECT_THAT(AfterInDouble(PrecisionAtK(scope_, labels, likelihoods, 2, {.class_id = 2})), FloatEq(1));
}

// Recorded from TensorFlow: one label, one twice, and numbers that are no classes.
TEST_P(Metrics, OfTheLikeliestClassesTakeLabelsOfAllKinds) {
  const Output one = Longs({3}, {3, 1, 0}), twice = Longs({3, 2}, {3, 3, 1, 1, 0, 2}), likelihoods = Likelihoods();
  EXPECT_THAT(AfterInDouble(RecallAtK(scope_, one, likelihoods, 2)), FloatEq(1.0f / 3));
  EXPECT_THAT(AfterInDouble(AveragePrecisionAtK(scope_, one, likelihoods, 2)), FloatEq(1.0f / 3));
  EXPECT_THAT(AfterInDouble(RecallAtK(scope_, twice, likelihoods, 2)), FloatEq(0.5));
  const Output strange = Longs({3, 2}, {3, 7, 1, -1, 9, 2}), none = Longs({3, 2}, {-1, -1, 1, -1, 9, 2});
  EXPECT_THAT(AfterInDouble(AveragePrecisionAtK(scope_, strange, likelihoods, 2)), FloatEq(0.5));
  EXPECT_THAT(AfterInDouble(RecallAtK(scope_, strange, likelihoods, 2)), FloatEq(1.0f / 3));
  EXPECT_THAT(AfterInDouble(AveragePrecisionAtK(scope_, none, likelihoods, 2)), ::testing::IsNan());
}

TEST_P(Metrics, OfTheLikeliestClassesHaveTensorFlowsNames) {
  const Output labels = Longs({3}, {3, 1, 0}), likelihoods = Likelihoods();
  PrecisionAtK(scope_, labels, likelihoods, 2);
  RecallAtK(scope_, labels, likelihoods, 2, {.class_id = 1});
  AveragePrecisionAtK(scope_, labels, likelihoods, 2);
  std::vector<std::string> names;
  for (const Variable& variable : scope_.local_variables()) names.push_back(variable.name());
  EXPECT_THAT(names, ElementsAre("precision_at_2/true_positive_at_2", "precision_at_2/false_positive_at_2",
                                 "recall_at_2_class1/true_positive_at_2_class1",
                                 "recall_at_2_class1/false_negative_at_2_class1", "average_precision_at_2/max_1",
                                 "average_precision_at_2/total"));
}

// At thresholds below 0, ½ and above 1: all are true, two of them, none. Of the true ones 1, ½, 0 are found, of the
// false ones 1, ½, 0 are taken for true.
TEST_P(Metrics, OfAreas) {
  const Output labels = Bools({true, true, false, false}), predictions = Floats({0.75, 0.25, 0.75, 0.25});
  const auto area = [&](AreaSum sum, Curve curve = Curve::kRoc) {
    return After(Auc(scope_, labels, predictions, {.num_thresholds = 3, .curve = curve, .sum = sum}));
  };
  // TensorFlow's recall has 10⁻⁶ above and below: ½ (1 + r) and ½ (r + 0), each half as wide.
  const float e = 1e-6f, middle = (1 + e) / (2 + e), none = e / (2 + e), rate = 1 / (2 + e), all = 2 / (2 + e);
  EXPECT_THAT(area(AreaSum::kTrapezoidal), FloatEq((all - rate) * (1 + middle) / 2 + rate * (middle + none) / 2));
  EXPECT_THAT(area(AreaSum::kMinoring), FloatEq((all - rate) * middle + rate * none));
  EXPECT_THAT(area(AreaSum::kMajoring), FloatEq((all - rate) * 1 + rate * middle));
  // Precision is ½, ½ and, of nothing, 1.
  const float half = (2 + e) / (4 + e), quarter = (1 + e) / (2 + e);
  EXPECT_THAT(area(AreaSum::kMinoring, Curve::kPrecisionRecall),
              FloatEq((1 - middle) * std::min(half, quarter) + (middle - none) * quarter));
}

// Right: 1 of class 0, 1 of class 1. Together with wrong ones 2 and 3 belong to them; class 2 does not occur.
TEST_P(Metrics, ByClass) {
  const Output labels = Ints({0, 0, 1, 1}), predictions = Ints({0, 1, 1, 1});
  const Metric iou = MeanIou(scope_, labels, predictions, 3);
  const History history = Run({iou.value, AsType(iou.update, DType::kFloat)});
  EXPECT_THAT(static_cast<float>(history.after.at(0)), FloatEq((1.0f / 2 + 2.0f / 3) / 2));
  EXPECT_THAT(history.updates, ElementsAre(ElementsAre(1, 1, 0, 0, 2, 0, 0, 0, 0)));
  EXPECT_THAT(After(MeanPerClassAccuracy(scope_, labels, predictions, 4)), FloatEq((0.5f + 1) / 4));
  const Metric weighted = MeanPerClassAccuracy(scope_, labels, predictions, 2, {.weights = Floats({3, 1, 1, 1})});
  EXPECT_THAT(Run(weighted).updates, ElementsAre(ElementsAre(0.75, 1)));
}

TEST_P(Metrics, RefuseWhatDoesNotFit) {
  const auto refused = [&](const std::string& text, auto make) { return Refuses(make, Code::kInvalidArgument, text); };
  EXPECT_TRUE(refused("labels of shape", [&] { Accuracy(scope_, Ints({1, 2}), Ints({1, 2, 3})); }));
  EXPECT_TRUE(refused("weights of shape", [&] { Mean(scope_, Floats({1, 2}), {.weights = Floats({1, 2, 3})}); }));
  EXPECT_TRUE(refused("two thresholds", [&] { Auc(scope_, Ints({1}), Floats({1}), {.num_thresholds = 1}); }));
  EXPECT_TRUE(refused("no threshold", [&] { PrecisionAtThresholds(scope_, Ints({1}), Floats({1}), {}); }));
  EXPECT_TRUE(refused("two thresholds", [&] { SensitivityAtSpecificity(scope_, Ints({1}), Floats({1}), 0.5, 1); }));
  EXPECT_TRUE(refused("sensitivity", [&] { SpecificityAtSensitivity(scope_, Ints({1}), Floats({1}), 1.5); }));
  EXPECT_TRUE(refused("at least one", [&] { RecallAtK(scope_, Longs({3}, {1, 2, 3}), Likelihoods(), 0); }));
  EXPECT_TRUE(refused("do not fit predictions", [&] { RecallAtK(scope_, Longs({2}, {1, 2}), Likelihoods(), 1); }));
  EXPECT_TRUE(refused("weights of shape", [&] {
    PrecisionAtK(scope_, Longs({3}, {1, 2, 3}), Likelihoods(), 1, {.metric = {.weights = Floats({1, 2})}});
  }));
  EXPECT_TRUE(refused("number of classes", [&] { MeanIou(scope_, Ints({1}), Ints({1}), 0); }));
}
PLUMB_ON_EACH_BACKEND(Metrics);

}  // namespace
}  // namespace plumb::metrics
