// A weight is how often an example counts: every metric of weighted examples is that of so many equal ones, and over
// two steps that of both together.
#include <functional>

#include "client/metrics/metrics.h"
#include "client/program.h"
#include "client/testing.h"

namespace plumb::metrics {
namespace {

using ::testing::FloatEq;
using ::testing::Pointwise;

// The label and the prediction of examples, as classes and as numbers within [0, 1], and how often each counts.
struct Examples {
  std::vector<int32_t> labels, predictions;
  std::vector<float> numbers, guesses, weights;
};
const Examples kFirst = {{0, 1, 1, 2, 1, 0},
                         {0, 1, 0, 2, 2, 1},
                         {0.5, 1, 0.25, 0.75, 0.5, 1},
                         {0.125, 0.875, 0.375, 0.625, 0.25, 0.75},
                         {2, 1, 3, 0, 1, 2}};
const Examples kSecond = {{1, 2, 0, 0}, {1, 1, 0, 2}, {1, 0.5, 0.25, 0.75}, {0.875, 0.375, 0.625, 0.125}, {1, 3, 2, 2}};

// Each as often as its weight says.
Examples Repeated(const Examples& of) {
  Examples all;
  for (size_t i = 0; i < of.labels.size(); ++i) {
    for (int times = 0; times < static_cast<int>(of.weights[i]); ++times) {
      all.labels.push_back(of.labels[i]);
      all.predictions.push_back(of.predictions[i]);
      all.numbers.push_back(of.numbers[i]);
      all.guesses.push_back(of.guesses[i]);
      all.weights.push_back(1);
    }
  }
  return all;
}

struct Fed {
  Output labels, predictions, numbers, guesses;
  MetricOptions options;
};
using Make = std::function<Metric(Scope&, const Fed&)>;

class WeightedMetrics : public OnEachBackend {
 protected:
  // The value after both steps.
  std::vector<float> After(const Make& make, bool is_weighted) {
    Scope scope;
    const auto place = [&](DType dtype, const char* name) {
      return scope.Call("Placeholder", {}, {{"dtype", dtype}, {"shape", PartialShape({-1})}}, name);
    };
    Fed fed = {place(DType::kInt32, "labels"),
               place(DType::kInt32, "predictions"),
               place(DType::kFloat, "numbers"),
               place(DType::kFloat, "guesses"),
               {}};
    const Output weights = place(DType::kFloat, "weights");
    if (is_weighted) fed.options.weights = weights;
    const Metric metric = make(scope, fed);
    const NodeId init = InitializeLocal(scope);
    Program program(scope, OpenSession(GetParam()));
    program.Run(init);
    for (const Examples& step : {kFirst, kSecond}) {
      const Examples examples = is_weighted ? step : Repeated(step);
      const Shape shape({static_cast<int64_t>(examples.labels.size())});
      program.Fetch(metric.update, {{fed.labels, MakeTensor<int32_t>(shape, examples.labels)},
                                    {fed.predictions, MakeTensor<int32_t>(shape, examples.predictions)},
                                    {fed.numbers, MakeTensor<float>(shape, examples.numbers)},
                                    {fed.guesses, MakeTensor<float>(shape, examples.guesses)},
                                    {weights, MakeTensor<float>(shape, examples.weights)}});
    }
    const std::vector<double> numbers = Numbers(program.Fetch(metric.value));
    return {numbers.begin(), numbers.end()};
  }
  void Check(const char* name, const Make& make) {
    const std::vector<float> repeated = After(make, false);
    EXPECT_THAT(After(make, true), Pointwise(FloatEq(), repeated)) << name;
    EXPECT_THAT(repeated, ::testing::Contains(::testing::Ne(0))) << name;
  }
};
PLUMB_ON_EACH_BACKEND(WeightedMetrics);

TEST_P(WeightedMetrics, OfNumbers) {
  Check("Mean", [](Scope& scope, const Fed& fed) { return Mean(scope, fed.numbers, fed.options); });
  Check("PercentageBelow",
        [](Scope& scope, const Fed& fed) { return PercentageBelow(scope, fed.numbers, 0.75, fed.options); });
  Check("MeanAbsoluteError",
        [](Scope& scope, const Fed& fed) { return MeanAbsoluteError(scope, fed.numbers, fed.guesses, fed.options); });
  Check("MeanSquaredError",
        [](Scope& scope, const Fed& fed) { return MeanSquaredError(scope, fed.numbers, fed.guesses, fed.options); });
  Check("RootMeanSquaredError", [](Scope& scope, const Fed& fed) {
    return RootMeanSquaredError(scope, fed.numbers, fed.guesses, fed.options);
  });
  Check("MeanRelativeError", [](Scope& scope, const Fed& fed) {
    return MeanRelativeError(scope, fed.numbers, fed.guesses, fed.guesses, fed.options);
  });
}

TEST_P(WeightedMetrics, OfClasses) {
  Check("Accuracy",
        [](Scope& scope, const Fed& fed) { return Accuracy(scope, fed.labels, fed.predictions, fed.options); });
  Check("TruePositives",
        [](Scope& scope, const Fed& fed) { return TruePositives(scope, fed.labels, fed.predictions, fed.options); });
  Check("TrueNegatives",
        [](Scope& scope, const Fed& fed) { return TrueNegatives(scope, fed.labels, fed.predictions, fed.options); });
  Check("FalsePositives",
        [](Scope& scope, const Fed& fed) { return FalsePositives(scope, fed.labels, fed.predictions, fed.options); });
  Check("FalseNegatives",
        [](Scope& scope, const Fed& fed) { return FalseNegatives(scope, fed.labels, fed.predictions, fed.options); });
  Check("Precision",
        [](Scope& scope, const Fed& fed) { return Precision(scope, fed.labels, fed.predictions, fed.options); });
  Check("Recall", [](Scope& scope, const Fed& fed) { return Recall(scope, fed.labels, fed.predictions, fed.options); });
  Check("MeanIou",
        [](Scope& scope, const Fed& fed) { return MeanIou(scope, fed.labels, fed.predictions, 3, fed.options); });
  Check("MeanPerClassAccuracy", [](Scope& scope, const Fed& fed) {
    return MeanPerClassAccuracy(scope, fed.labels, fed.predictions, 3, fed.options);
  });
}

TEST_P(WeightedMetrics, AtThresholds) {
  Check("PrecisionAtThresholds", [](Scope& scope, const Fed& fed) {
    return PrecisionAtThresholds(scope, fed.labels, fed.guesses, {0.3125, 0.6875}, fed.options);
  });
  Check("RecallAtThresholds", [](Scope& scope, const Fed& fed) {
    return RecallAtThresholds(scope, fed.labels, fed.guesses, {0.3125, 0.6875}, fed.options);
  });
  for (const Curve curve : {Curve::kRoc, Curve::kPrecisionRecall}) {
    for (const AreaSum sum : {AreaSum::kTrapezoidal, AreaSum::kMinoring, AreaSum::kMajoring}) {
      Check("Auc", [curve, sum](Scope& scope, const Fed& fed) {
        return Auc(scope, fed.labels, fed.guesses,
                   {.num_thresholds = 6, .curve = curve, .sum = sum, .metric = fed.options});
      });
    }
  }
}

// Of both steps, by hand: labels that are not 0 count 1 + 3 + 1 and 1 + 3, and of those 1 + 1 and 1 + 3 are predicted
// so.
TEST_P(WeightedMetrics, CountBothSteps) {
  const auto number = [&](const Make& make) { return After(make, true)[0]; };
  EXPECT_EQ(number([](Scope& scope, const Fed& fed) {
              return TruePositives(scope, fed.labels, fed.predictions, fed.options);
            }),
            6);
  EXPECT_THAT(
      number([](Scope& scope, const Fed& fed) { return Recall(scope, fed.labels, fed.predictions, fed.options); }),
      FloatEq(6.0f / 9));
  EXPECT_THAT(
      number([](Scope& scope, const Fed& fed) { return Accuracy(scope, fed.labels, fed.predictions, fed.options); }),
      FloatEq((2 + 1 + 1 + 2) / 17.0f));
}

}  // namespace
}  // namespace plumb::metrics
