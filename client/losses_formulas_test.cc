// Every loss at numbers where none of its options drops out, against the formulas of losses.h, with weights and sums.
#include <cmath>

#include "client/losses.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::FloatEq;
using ::testing::Pointwise;

constexpr double kLabels[] = {1, 0, 0.25, 0.75}, kNumbers[] = {0.5, 0.75, -2, 3}, kWeights[] = {2, 0, 0.5, 3};

class LossFormulas : public OnEachBackend {
 protected:
  Output Row(const double (&numbers)[4]) {
    return Constant(scope_, MakeTensor<float>({4}, std::vector<float>(numbers, numbers + 4)));
  }
  // The losses themselves, their weighted sum and their weighted mean.
  void Check(const std::function<Output(const LossOptions&)>& make, const std::vector<double>& losses) {
    const auto reduced = [&](LossReduction reduction) {
      return Value(make({.weights = Row(kWeights), .reduction = reduction}));
    };
    std::vector<float> each;
    double sum = 0;
    for (size_t i = 0; i < losses.size(); ++i) {
      each.push_back(static_cast<float>(losses[i]));
      sum += kWeights[i] * losses[i];
    }
    const std::vector<double> actual = Value(make({.reduction = LossReduction::kNone}));
    EXPECT_THAT(std::vector<float>(actual.begin(), actual.end()), Pointwise(FloatEq(), each));
    EXPECT_THAT(static_cast<float>(reduced(LossReduction::kSum)[0]), FloatEq(static_cast<float>(sum)));
    EXPECT_THAT(static_cast<float>(reduced(LossReduction::kMean)[0]), FloatEq(static_cast<float>(sum / 5.5)));
    EXPECT_THAT(static_cast<float>(reduced(LossReduction::kSumOverElements)[0]), FloatEq(static_cast<float>(sum / 4)));
    EXPECT_THAT(static_cast<float>(reduced(LossReduction::kSumByNonzeroWeights)[0]),
                FloatEq(static_cast<float>(sum / 3)));
  }
  template <class Formula>
  static std::vector<double> Each(Formula formula) {
    std::vector<double> losses;
    for (size_t i = 0; i < 4; ++i) losses.push_back(formula(kLabels[i], kNumbers[i]));
    return losses;
  }
};
PLUMB_ON_EACH_BACKEND(LossFormulas);

TEST_P(LossFormulas, OfRegressions) {
  const Output labels = Row(kLabels), numbers = Row(kNumbers);
  Check([&](const LossOptions& options) { return AbsoluteDifference(scope_, labels, numbers, options); },
        Each([](double z, double x) { return std::abs(x - z); }));
  Check([&](const LossOptions& options) { return MeanSquaredError(scope_, labels, numbers, options); },
        Each([](double z, double x) { return (x - z) * (x - z); }));
  Check([&](const LossOptions& options) { return HuberLoss(scope_, labels, numbers, 0.625, options); },
        Each([](double z, double x) {
          const double off = std::abs(x - z);
          return off <= 0.625 ? off * off / 2 : 0.625 * off - 0.625 * 0.625 / 2;
        }));
}

TEST_P(LossFormulas, OfBinaryClasses) {
  const Output labels = Row(kLabels), numbers = Row(kNumbers);
  const double chances[4] = {0.5, 0.75, 0.125, 0.25};
  std::vector<double> logarithmic;
  for (size_t i = 0; i < 4; ++i) {
    logarithmic.push_back(-kLabels[i] * std::log(chances[i] + 0.25) -
                          (1 - kLabels[i]) * std::log(1 - chances[i] + 0.25));
  }
  Check([&](const LossOptions& options) { return LogLoss(scope_, labels, Row(chances), 0.25, options); }, logarithmic);
  Check([&](const LossOptions& options) { return HingeLoss(scope_, labels, numbers, options); },
        Each([](double z, double x) { return std::max(0.0, 1 - (2 * z - 1) * x); }));
  Check([&](const LossOptions& options) { return SigmoidCrossEntropy(scope_, labels, numbers, 0.25, options); },
        Each([](double z, double x) { return std::log1p(std::exp(x)) - x * (z * 0.75 + 0.125); }));
}

TEST_P(LossFormulas, OfManyClasses) {
  const double logits[4][3] = {{1, 2, 0.5}, {-1, 0.25, 3}, {0, 2, -2}, {1.5, -0.5, 0.75}};
  const double labels[4][3] = {{1, 0, 0}, {0.25, 0.5, 0.25}, {0, 0, 1}, {0.125, 0.875, 0}};
  const int32_t classes[4] = {2, 0, 1, 1};
  const auto matrix = [&](const double(&of)[4][3]) {
    return Constant(scope_, MakeTensor<float>({4, 3}, std::vector<float>(of[0], of[0] + 12)));
  };
  std::vector<double> dense, sparse;
  for (size_t i = 0; i < 4; ++i) {
    double sum = 0, weighed = 0;
    for (size_t j = 0; j < 3; ++j) {
      sum += std::exp(logits[i][j]);
      weighed += (labels[i][j] * 0.625 + 0.375 / 3) * logits[i][j];
    }
    dense.push_back(std::log(sum) - weighed);
    sparse.push_back(std::log(sum) - logits[i][classes[i]]);
  }
  const Output x = matrix(logits), z = matrix(labels);
  Check([&](const LossOptions& options) { return SoftmaxCrossEntropy(scope_, z, x, 0.375, options); }, dense);
  const Output ids = Constant<int32_t>(scope_, {2, 0, 1, 1});
  Check([&](const LossOptions& options) { return SparseSoftmaxCrossEntropy(scope_, ids, x, options); }, sparse);
}

// Along the first axis and along the last one.
TEST_P(LossFormulas, OfDirections) {
  const Output labels = Matrix(2, 3, {1, 2, -1, 0.5, 3, 2}), numbers = Matrix(2, 3, {2, 0.5, 1, -1, 1, 0.25});
  const auto along = [&](int32_t axis) {
    return Value(CosineDistance(scope_, labels, numbers, axis, {.reduction = LossReduction::kNone}));
  };
  EXPECT_THAT(along(0), ::testing::ElementsAre(1 - (2 - 0.5), 1 - (1 + 3), 1 - (-1 + 0.5)));
  EXPECT_THAT(along(1), ::testing::ElementsAre(1 - (2 + 1 - 1), 1 - (-0.5 + 3 + 0.5)));
  const Output weighted = CosineDistance(scope_, labels, numbers, 1, {.weights = Matrix(2, 1, {3, 0.5})});
  EXPECT_THAT(Value(weighted), ::testing::ElementsAre((3 * (1 - 2) + 0.5 * (1 - 3)) / 2));
}

}  // namespace
}  // namespace plumb
