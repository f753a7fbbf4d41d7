// Losses, worked out by hand.
#include "client/losses.h"

#include <cmath>

#include "client/gradients.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::Pointwise;

class Losses : public OnEachBackend {
 protected:
  float Loss(Output loss) { return static_cast<float>(Value(loss).at(0)); }
  Output Weighted(LossReduction reduction) {
    return WeightedLoss(scope_, Floats({1, 2, 3, 4}), {.weights = Floats({2, 0, 1, 1}), .reduction = reduction});
  }
};

TEST_P(Losses, AreWeightedAndReduced) {
  EXPECT_THAT(Value(Weighted(LossReduction::kNone)), ElementsAre(2, 0, 3, 4));
  EXPECT_THAT(Loss(Weighted(LossReduction::kSum)), FloatEq(9));
  EXPECT_THAT(Loss(Weighted(LossReduction::kMean)), FloatEq(9.0f / 4));
  EXPECT_THAT(Loss(Weighted(LossReduction::kSumOverElements)), FloatEq(9.0f / 4));
  EXPECT_THAT(Loss(Weighted(LossReduction::kSumByNonzeroWeights)), FloatEq(3));
}

TEST_P(Losses, WithoutWeightsAreAveraged) {
  EXPECT_THAT(Loss(WeightedLoss(scope_, Matrix(2, 2, {1, 2, 3, 6}))), FloatEq(3));
  EXPECT_THAT(Loss(WeightedLoss(scope_, Matrix(2, 2, {1, 2, 3, 6}), {.weights = Float(2)})), FloatEq(6));
  EXPECT_THAT(Loss(WeightedLoss(scope_, Matrix(2, 2, {1, 2, 3, 6}), {.weights = Matrix(2, 1, {1, 0})})), FloatEq(1.5));
}

TEST_P(Losses, OfNothingAreZero) {
  EXPECT_THAT(Loss(WeightedLoss(scope_, Floats({1, 2}), {.weights = Floats({0, 0})})), FloatEq(0));
  EXPECT_THAT(Loss(WeightedLoss(scope_, Constant(scope_, Tensor(DType::kFloat, {0, 3})))), FloatEq(0));
}

TEST_P(Losses, OfUnknownShapeAreReduced) {
  const Output losses = Input(PartialShape::Unknown(), "losses");
  const Output mean = WeightedLoss(scope_, losses);
  EXPECT_THAT(Value(mean, {{"losses", MakeTensor<float>({2, 2}, {1, 2, 3, 6})}}), ElementsAre(3));
}

TEST_P(Losses, OfRegressions) {
  const Output labels = Constant<int32_t>(scope_, {1, 2, 3}), predictions = Floats({1, 4, 0});
  EXPECT_THAT(Loss(AbsoluteDifference(scope_, labels, predictions)), FloatEq(5.0f / 3));
  EXPECT_THAT(Loss(MeanSquaredError(scope_, labels, predictions)), FloatEq(13.0f / 3));
  // 0, then 2 · 2 − ½ · 4 and 2 · 3 − ½ · 4.
  EXPECT_THAT(Loss(HuberLoss(scope_, labels, predictions, 2)), FloatEq(6.0f / 3));
  EXPECT_THAT(Loss(HuberLoss(scope_, labels, predictions, 4)), FloatEq((2 + 4.5f) / 3));
}

TEST_P(Losses, OfBinaryClasses) {
  const Output labels = Floats({1, 0});
  EXPECT_THAT(Loss(LogLoss(scope_, labels, Floats({0.5, 0.75}), 0)), FloatEq((std::log(2.0f) + std::log(4.0f)) / 2));
  EXPECT_THAT(Loss(HingeLoss(scope_, labels, Floats({0.25, 3}))), FloatEq((0.75f + 4) / 2));
  EXPECT_THAT(Loss(SigmoidCrossEntropy(scope_, labels, Floats({0, 0}))), FloatEq(std::log(2.0f)));
  // Smoothing by 1 makes both labels ½: at x it is log(1 + e^−|x|) + max(x, 0) − x / 2.
  EXPECT_THAT(Loss(SigmoidCrossEntropy(scope_, labels, Floats({2, -2}), 1)), FloatEq(std::log1p(std::exp(-2.0f)) + 1));
  EXPECT_THAT(Loss(SigmoidCrossEntropy(scope_, labels, Floats({1000, -1000}))), FloatEq(0)) << "does not overflow";
}

// σ(x) − z, also at 0, where every model begins whose weights are zero.
TEST_P(Losses, OfBinaryClassesHaveASlopeEverywhere) {
  const Output labels = Floats({1, 0, 1, 0}), logits = Floats({0, 0, std::log(3.0f), -std::log(3.0f)});
  const Output loss = SigmoidCrossEntropyWithLogits(scope_, labels, logits);
  const Endpoint slope = Densify(scope_.builder(), Gradients(scope_.builder(), {loss}, {logits})[0]);
  const std::vector<double> slopes = Value({&scope_.builder(), slope});
  EXPECT_THAT(std::vector<float>(slopes.begin(), slopes.end()),
              Pointwise(FloatEq(), std::vector<float>{-0.5, 0.5, -0.25, 0.25}));
}

TEST_P(Losses, OfClassesDoNotTrainTheirLabels) {
  const Output labels = Matrix(1, 2, {0.25, 0.75}), logits = Matrix(1, 2, {1, 2});
  const Output loss = SoftmaxCrossEntropy(scope_, labels, logits);
  const auto gradients = Gradients(scope_.builder(), {loss}, {labels, logits});
  EXPECT_TRUE(gradients[0].IsNone());
  EXPECT_FALSE(gradients[1].IsNone());
}

// Recorded from TensorFlow. The differences are −1, ½, 1 and −3, 1, 1½; those of the first row are 1½, 2 and ½ apart:
// the mean of the squares is 6½ / 3.
TEST_P(Losses, OfPairs) {
  const Output labels = Matrix(2, 3, {1, 0, 2, 4, 4, 1}), predictions = Matrix(2, 3, {0, 0.5, 3, 1, 5, 2.5});
  const auto loss = [&](const std::optional<Output>& weights) {
    return MeanPairwiseSquaredError(scope_, labels, predictions, weights);
  };
  EXPECT_THAT(Loss(loss({})), FloatEq(14.333334f));
  EXPECT_THAT(Loss(loss(Matrix(2, 1, {2, 0.5}))), FloatEq(10.416667f));
  EXPECT_THAT(Loss(loss(Matrix(2, 3, {1, 0, 1, 0, 0, 0}))), FloatEq(8.5));
  EXPECT_THAT(Loss(loss(Float(0))), FloatEq(0));
  const Endpoint slope =
      Densify(scope_.builder(), Gradients(scope_.builder(), {loss(Matrix(2, 1, {2, 0.5}))}, {predictions})[0]);
  const std::vector<double> slopes = Value({&scope_.builder(), slope});
  EXPECT_THAT(
      std::vector<float>(slopes.begin(), slopes.end()),
      Pointwise(FloatEq(), std::vector<float>{-14.0f / 3, 4.0f / 3, 10.0f / 3, -17.0f / 6, 7.0f / 6, 10.0f / 6}));
  EXPECT_TRUE(Refuses([&] { MeanPairwiseSquaredError(scope_, Float(1), Float(2)); }, Code::kInvalidArgument, "scalar"));
}

TEST_P(Losses, OfDirections) {
  const Output loss = CosineDistance(scope_, Matrix(2, 2, {1, 0, 0, 1}), Matrix(2, 2, {1, 0, 1, 0}), 1,
                                     {.reduction = LossReduction::kNone});
  EXPECT_EQ(loss.shape().ToString(), PartialShape({2, 1}).ToString());
  EXPECT_THAT(Value(loss), ElementsAre(0, 1));
}

TEST_P(Losses, OfManyClasses) {
  const Output logits = Matrix(2, 2, {0, 0, 0, 0}), one_hot = Matrix(2, 2, {1, 0, 0, 1});
  EXPECT_THAT(Loss(SoftmaxCrossEntropy(scope_, one_hot, logits)), FloatEq(std::log(2.0f)));
  EXPECT_THAT(Loss(SparseSoftmaxCrossEntropy(scope_, Constant<int32_t>(scope_, {0, 1}), logits)),
              FloatEq(std::log(2.0f)));
  // Labels (¾, ¼) against a distribution of (½, ½).
  EXPECT_THAT(Loss(SoftmaxCrossEntropy(scope_, one_hot, logits, 0.5)), FloatEq(std::log(2.0f)));
  // Of four classes each gets an eighth, and the right one half of the whole besides.
  const Output wide = Matrix(1, 4, {0, 1, 2, 3});
  EXPECT_EQ(Loss(SoftmaxCrossEntropy(scope_, Matrix(1, 4, {0, 1, 0, 0}), wide, 0.5)),
            Loss(SoftmaxCrossEntropy(scope_, Matrix(1, 4, {0.125, 0.625, 0.125, 0.125}), wide)));
  EXPECT_EQ(Loss(SigmoidCrossEntropy(scope_, Floats({0, 1}), Floats({1, 3}), 0.5)),
            Loss(SigmoidCrossEntropy(scope_, Floats({0.25, 0.75}), Floats({1, 3}))));
  const Output weighted = SoftmaxCrossEntropy(scope_, one_hot, logits, 0, {.weights = Floats({0, 2})});
  EXPECT_THAT(Loss(weighted), FloatEq(2 * std::log(2.0f)));
}

// d/dx of mean (x − z)² is 2 (x − z) / n.
TEST_P(Losses, HaveGradients) {
  const Output x = Floats({1, 4});  // x − z is 1 and 2
  const Output loss = MeanSquaredError(scope_, Floats({0, 2}), x);
  const auto gradients = DenseGradients({loss}, {x});
  EXPECT_THAT(Value(gradients.at(0)), ElementsAre(1, 2));
}

TEST_P(Losses, WhatDoesNotFitIsRefused) {
  const auto refused = [&](const std::string& text, auto make) { return Refuses(make, Code::kInvalidArgument, text); };
  EXPECT_TRUE(refused("labels of shape", [&] { MeanSquaredError(scope_, Floats({1, 2}), Floats({1, 2, 3})); }));
  EXPECT_TRUE(refused("weights of shape", [&] {
    WeightedLoss(scope_, Matrix(2, 2, {1, 2, 3, 4}), {.weights = Floats({1, 2})});
  }));
}
PLUMB_ON_EACH_BACKEND(Losses);

}  // namespace
}  // namespace plumb
