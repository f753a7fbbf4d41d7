// The building blocks against their formulas.
#include "models/layers.h"

#include "models/testing.h"

namespace plumb::models {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::Pointwise;

class Layers : public OnEachBackend {
 protected:
  Output Image(const Shape& shape, const std::vector<float>& numbers) {
    return Constant(scope_, MakeTensor<float>(shape, numbers));
  }
};
PLUMB_ON_EACH_BACKEND(Layers);

constexpr float kPixels[2][4] = {{1, 3, 5, 7}, {-2, 0, 2, 8}};  // of two channels
constexpr double kMeans[2] = {4, 2}, kVariances[2] = {5, 14};   // over all four
std::vector<float> Pixels() {
  std::vector<float> pixels;
  for (int i = 0; i < 4; ++i) pixels.insert(pixels.end(), {kPixels[0][i], kPixels[1][i]});
  return pixels;
}

// What is kept of the variance is that of a larger whole, n / (n − 1) of the batch's.
TEST_P(Layers, BatchNormKeepsAverages) {
  constexpr double kDecay = 0.75;
  std::vector<NodeId> updates;
  BatchNorm(scope_, Image({2, 1, 2, 2}, Pixels()), {.decay = kDecay}, updates, "norm");
  const NodeId update = scope_.Group(updates);
  const Variable mean = Named(scope_, "norm/moving_mean"), variance = Named(scope_, "norm/moving_variance");
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  double means[2] = {0, 0}, variances[2] = {1, 1};
  for (int step = 1; step <= 2; ++step) {
    program.Run(update);
    const std::vector<float> now = Floats32(program.Fetch(mean.value())),
                             spread = Floats32(program.Fetch(variance.value()));
    for (size_t i = 0; i < 2; ++i) {
      means[i] = kDecay * means[i] + (1 - kDecay) * kMeans[i];
      variances[i] = kDecay * variances[i] + (1 - kDecay) * kVariances[i] * 4 / 3;
      EXPECT_THAT(now[i], FloatEq(static_cast<float>(means[i]))) << step;
      EXPECT_THAT(spread[i], FloatEq(static_cast<float>(variances[i]))) << step;
    }
  }
}

// While training by the batch, otherwise by the averages.
TEST_P(Layers, BatchNormScalesAndMoves) {
  for (const bool is_training : {true, false}) {
    std::vector<NodeId> updates;
    const std::string name = is_training ? "training" : "serving";
    const BatchNormOptions options = {.is_training = is_training, .epsilon = 0.5};
    const Output y = BatchNorm(scope_, Image({2, 1, 2, 2}, Pixels()), options, updates, name);
    EXPECT_EQ(updates.empty(), !is_training);
    const auto given = [&](const char* what, const std::vector<float>& numbers) {
      return Given(Named(scope_, name + what), numbers);
    };
    Program program(scope_, OpenSession(GetParam()));
    std::vector<FeedValue> feeds = {given("/scale", {2, 0.5}), given("/offset", {16, -8})};
    const double averages[2] = {-1, 3}, spreads[2] = {4, 0.25};
    if (!is_training) feeds = feeds + std::vector{given("/moving_mean", {-1, 3}), given("/moving_variance", {4, 0.25})};
    std::vector<float> expected;
    for (int i = 0; i < 4; ++i) {
      for (const int channel : {0, 1}) {
        const double centred = kPixels[channel][i] - (is_training ? kMeans : averages)[channel];
        const double normed = centred / std::sqrt((is_training ? kVariances : spreads)[channel] + 0.5);
        expected.push_back(static_cast<float>(channel == 0 ? 2 * normed + 16 : 0.5 * normed - 8));
      }
    }
    EXPECT_THAT(Floats32(program.Fetch(y, feeds)), Pointwise(FloatEq(), expected)) << name;
  }
}

// How many of n stay is binomial: five standard deviations off the mean is as good as never.
TEST_P(Layers, DropoutKeepsAShareAndTheMean) {
  constexpr double kKeep = 0.25, kCount = 4096;
  const Output ones = Filled(scope_, DType::kFloat, {64, 64}, 1);
  const std::vector<double> numbers = Value(Dropout(scope_, ones, kKeep, 7));
  EXPECT_THAT(numbers, ::testing::Each(::testing::AnyOf(0, 4)));
  const double kept = static_cast<double>(std::count(numbers.begin(), numbers.end(), 4));
  EXPECT_LT(std::abs(kept - kKeep * kCount), 5 * std::sqrt(kCount * kKeep * (1 - kKeep)));
  EXPECT_THAT(Value(Dropout(scope_, ones, 1, 7)), ::testing::Each(1)) << "all are kept";
  EXPECT_NE(Value(Dropout(scope_, ones, kKeep, 8)), numbers) << "another seed";
}

TEST_P(Layers, DenseMultipliesAndAdds) {
  const Output y = Dense(scope_, Matrix(2, 2, {1, 2, 3, 4}), 3, 1, "layer");
  Program program(scope_, OpenSession(GetParam()));
  const std::vector<FeedValue> feeds = {Given(Named(scope_, "layer/weights"), {1, 0, 2, 0, 1, -1}),
                                        Given(Named(scope_, "layer/bias"), {10, 20, 30})};
  EXPECT_THAT(Floats32(program.Fetch(y, feeds)), ElementsAre(11, 22, 30, 13, 24, 32));
}

// Two groups of two channels: the first filter reads the first two, the second the others. A stride of two leaves the
// first and the third pixel.
TEST_P(Layers, ConvolutionsReadTheirGroup) {
  const Output x = Image({1, 1, 3, 4}, {1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8});
  const Window one = {.height = 1, .width = 1, .stride = 2};
  const Output y = Convolution(scope_, x, 2, {.window = one, .groups = 2}, 1, "grouped");
  Program program(scope_, OpenSession(GetParam()));
  const std::vector<FeedValue> feeds = {Given(Named(scope_, "grouped/filters"), {1, 100, 10, 1000}),
                                        Given(Named(scope_, "grouped/bias"), {0.5, -0.5})};
  EXPECT_THAT(Floats32(program.Fetch(y, feeds)), ElementsAre(21.5, 4299.5, 65.5, 8699.5));
}

// At the border a window reads what lies within the image.
TEST_P(Layers, PoolsTakeTheMostOrTheMean) {
  const Output x = Image({1, 2, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Window three = {.height = 2, .width = 3, .stride = 2};
  EXPECT_THAT(Value(MaxPool(scope_, x, three)), ElementsAre(7, 8));
  EXPECT_THAT(Value(AveragePool(scope_, x, three)), ElementsAre((1 + 2 + 3 + 5 + 6 + 7) / 6.0, (3 + 4 + 7 + 8) / 4.0));
  EXPECT_THAT(Value(MaxPool(scope_, x, {.height = 2, .width = 3, .stride = 2, .padding = "VALID"})), ElementsAre(7));
  EXPECT_THAT(Value(GlobalAveragePool(scope_, Image({1, 2, 2, 2}, {1, 10, 2, 20, 3, 30, 6, 60}))), ElementsAre(3, 30));
}

// Each channel by the squares of itself and its neighbours.
TEST_P(Layers, ResponsesAreNormedAcrossChannels) {
  const double x[4] = {1, -2, 3, 4};
  const ResponseNormOptions options = {.radius = 1, .bias = 2, .alpha = 0.5, .beta = 0.75};
  std::vector<float> expected;
  for (int i = 0; i < 4; ++i) {
    double squares = 0;
    for (int j = std::max(0, i - 1); j <= std::min(3, i + 1); ++j) squares += x[j] * x[j];
    expected.push_back(static_cast<float>(x[i] / std::pow(2 + 0.5 * squares, 0.75)));
  }
  const std::vector<double> actual = Value(LocalResponseNorm(scope_, Image({1, 1, 1, 4}, {1, -2, 3, 4}), options));
  EXPECT_THAT(std::vector<float>(actual.begin(), actual.end()), Pointwise(FloatEq(), expected));
}

TEST_P(Layers, CrossEntropiesAreAveraged) {
  const Output loss = MeanCrossEntropy(scope_, Matrix(2, 3, {1, 2, 0, -1, 0.5, 3}), Constant<int32_t>(scope_, {0, 1}));
  const double expected = (CrossEntropy({1, 2, 0}, 0) + CrossEntropy({-1, 0.5, 3}, 1)) / 2;
  EXPECT_THAT(static_cast<float>(Value(loss)[0]), FloatEq(static_cast<float>(expected)));
}

}  // namespace
}  // namespace plumb::models
