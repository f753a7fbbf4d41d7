// Losses over samples of classes, worked out by hand.
#include "client/embedding/sampled_losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "client/gradients.h"
#include "client/initializers.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

class SampledLosses : public OnEachBackend {
 protected:
  // Class i has the weight i; the input is 1, so that logits are ids; nothing is to be subtracted for log 1.
  std::vector<Output> Weights() { return {Matrix(4, 1, {0, 1, 2, 3})}; }
  std::vector<Output> Biases() { return {Floats({0, 0, 0, 0})}; }
  Output Labels(std::initializer_list<int64_t> labels) {
    return Constant(scope_, MakeTensor<int64_t>({1, static_cast<int64_t>(labels.size())}, labels));
  }
  SampledLossOptions Options(std::initializer_list<int64_t> sampled, int64_t num_true, float expected = 1) {
    SampledLossOptions options;
    options.num_true = num_true;
    const std::vector<float> of_true(static_cast<size_t>(num_true), 1), of_sampled(sampled.size(), expected);
    options.sample = SampledClasses{
        Constant(scope_, MakeVector<int64_t>(sampled)), Constant(scope_, MakeTensor<float>({1, num_true}, of_true)),
        Constant(scope_, MakeTensor<float>({static_cast<int64_t>(sampled.size())}, of_sampled))};
    return options;
  }
  std::vector<float> Floats32(Output value) {
    const std::vector<double> numbers = Value(value);
    return {numbers.begin(), numbers.end()};
  }
};

TEST_P(SampledLosses, AreMadeOfTrueAndSampledLogits) {
  const SampledLogits sampled =
      ComputeSampledLogits(scope_, Weights(), Biases(), Labels({3, 1}), Matrix(1, 1, {2}), 2, 4, Options({0, 2}, 2));
  EXPECT_THAT(Value(sampled.logits), ElementsAre(6, 2, 0, 4));
  EXPECT_THAT(Value(sampled.labels), ElementsAre(0.5, 0.5, 0, 0));
  const SampledLogits rare = ComputeSampledLogits(scope_, Weights(), {Floats({1, 2, 3, 4})}, Labels({3}),
                                                  Matrix(1, 1, {1}), 1, 4, Options({1}, 1, /*expected=*/0.5));
  EXPECT_THAT(Floats32(rare.logits), ElementsAre(FloatEq(7), FloatEq(3 + std::log(2.0f))));
}

// What is expected is another number for each label of each example, and for each class of the sample.
TEST_P(SampledLosses, SubtractTheLogarithmsOfWhatIsExpected) {
  const Output labels = Constant(scope_, MakeTensor<int64_t>({2, 2}, {3, 1, 0, 2})), inputs = Matrix(2, 1, {2, -1});
  SampledLossOptions options = {.num_true = 2};
  options.sample = SampledClasses{Constant<int64_t>(scope_, {0, 2}), Matrix(2, 2, {0.25, 2, 0.5, 4}), Floats({8, 3})};
  const std::vector<Output> biases = {Floats({1, 2, -3, 4})};
  const SampledLogits logits = ComputeSampledLogits(scope_, Weights(), biases, labels, inputs, 2, 4, options);
  const double expected[2][4] = {
      {2 * 3 + 4 - std::log(0.25), 2 * 1 + 2 - std::log(2), 1 - std::log(8), 2 * 2 - 3 - std::log(3)},
      {1 - std::log(0.5), -2 - 3 - std::log(4), 1 - std::log(8), -2 - 3 - std::log(3)}};
  std::vector<float> flat, softmax, nce;
  for (const auto& row : expected) {
    double all = 0, logistic = 0;
    for (size_t i = 0; i < 4; ++i) {
      flat.push_back(static_cast<float>(row[i]));
      all += std::exp(row[i]);
      logistic += std::log1p(std::exp(row[i])) - (i < 2 ? row[i] / 2 : 0);
    }
    softmax.push_back(static_cast<float>(std::log(all) - (row[0] + row[1]) / 2));
    nce.push_back(static_cast<float>(logistic));
  }
  EXPECT_THAT(Floats32(logits.logits), ::testing::Pointwise(FloatEq(), flat));
  options.remove_accidental_hits = false;
  EXPECT_THAT(Floats32(SampledSoftmaxLoss(scope_, Weights(), biases, labels, inputs, 2, 4, options)),
              ::testing::Pointwise(FloatEq(), softmax));
  EXPECT_THAT(Floats32(NceLoss(scope_, Weights(), biases, labels, inputs, 2, 4, options)),
              ::testing::Pointwise(FloatEq(), nce));
}

// The label is among the sample: without that hit there is only 1 against 0; with it twice 1.
TEST_P(SampledLosses, OfSoftmaxLeaveAccidentalHitsOut) {
  const Output input = Matrix(1, 1, {1});
  const auto loss = [&](SampledLossOptions options) {
    return Floats32(SampledSoftmaxLoss(scope_, Weights(), Biases(), Labels({1}), input, 2, 4, options));
  };
  SampledLossOptions options = Options({1, 0}, 1);
  EXPECT_THAT(loss(options), ElementsAre(FloatEq(std::log1p(std::exp(-1.0f)))));
  options.remove_accidental_hits = false;
  EXPECT_THAT(loss(options), ElementsAre(FloatEq(std::log(2 + std::exp(-1.0f)))));
}

// An example is as good as alone: a class that is a label of another stays in its own sample.
TEST_P(SampledLosses, OfABatchAreThoseOfItsExamples) {
  const std::vector<std::vector<int64_t>> labels = {{3, 0}, {1, 4}, {2, 2}, {0, 2}};
  const std::vector<std::vector<float>> inputs = {{1, 2}, {-1, 0.5}, {3, 0}, {0.5, -2}};
  const std::vector<std::vector<float>> of_labels = {{0.5, 2}, {1, 4}, {0.25, 3}, {2, 0.75}};
  const std::vector<Output> weights = {Matrix(5, 2, {0, 1, 1, -1, 0.5, 1, -1, 1, 1, 0.25})},
                            biases = {Floats({0.5, 0, -1, 1, 2})};
  const auto losses = [&](size_t first, size_t last, size_t num_true, bool remove) {
    std::vector<int64_t> ids;
    std::vector<float> expected, numbers;
    for (size_t i = first; i < last; ++i) {
      for (size_t j = 0; j < num_true; ++j) {
        ids.push_back(labels[i][j]);
        expected.push_back(of_labels[i][j]);
      }
      numbers.insert(numbers.end(), inputs[i].begin(), inputs[i].end());
    }
    const auto batch = static_cast<int64_t>(last - first), columns = static_cast<int64_t>(num_true);
    const Output of_true = Constant(scope_, MakeTensor<float>({batch, columns}, expected));
    SampledLossOptions options = {.num_true = columns, .remove_accidental_hits = remove};
    options.sample = SampledClasses{Constant<int64_t>(scope_, {3, 1, 4}), of_true, Floats({0.5, 3, 2})};
    const Output label = Constant(scope_, MakeTensor<int64_t>({batch, columns}, ids)),
                 input = Constant(scope_, MakeTensor<float>({batch, 2}, numbers));
    return std::vector{SampledSoftmaxLoss(scope_, weights, biases, label, input, 3, 5, options),
                       NceLoss(scope_, weights, biases, label, input, 3, 5, options)};
  };
  std::vector<Output> together, alone;
  std::vector<std::string> names;
  for (const size_t num_true : {size_t{1}, size_t{2}}) {
    for (const bool remove : {true, false}) {
      const std::vector<Output> of_batch = losses(0, labels.size(), num_true, remove);
      std::vector<std::vector<Output>> of_examples(2);
      for (size_t i = 0; i < labels.size(); ++i) {
        const std::vector<Output> of_example = losses(i, i + 1, num_true, remove);
        for (size_t j = 0; j < 2; ++j) of_examples[j].push_back(of_example[j]);
      }
      for (size_t j = 0; j < 2; ++j) {
        together.push_back(of_batch[j]);
        of_examples[j].push_back(Int(0));
        alone.push_back(Call("ConcatV2", of_examples[j], {{"N", int64_t{4}}}));
        names.push_back(Str(j == 0 ? "softmax" : "noise contrast", ", ", num_true, " labels, ",
                            remove ? "without hits" : "with hits"));
      }
    }
  }
  const std::vector<Tensor> actual = Evaluate(GetParam(), scope_, together),
                            expected = Evaluate(GetParam(), scope_, alone);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto losses_together = actual[i].data<float>(), losses_alone = expected[i].data<float>();
    ASSERT_EQ(losses_together.size(), labels.size()) << names[i];
    EXPECT_THAT(losses_together, ::testing::Pointwise(FloatEq(), losses_alone)) << names[i];
  }
}

TEST_P(SampledLosses, OfNoiseContrastAddLogisticLosses) {
  const Output loss = NceLoss(scope_, Weights(), Biases(), Labels({0}), Matrix(1, 1, {1}), 1, 4, Options({0}, 1));
  EXPECT_THAT(Floats32(loss), ElementsAre(FloatEq(2 * std::log(2.0f))));
}

TEST_P(SampledLosses, DrawTheirSample) {
  const std::vector<Output> weights = {Matrix(2, 1, {0, 2}), Matrix(2, 1, {1, 3})};
  const Output loss = SampledSoftmaxLoss(scope_, weights, Biases(), Labels({3}), Matrix(1, 1, {1}), 3, 4);
  const auto slopes = DenseGradients({loss}, weights);
  EXPECT_GT(Value(loss)[0], 0);
  EXPECT_EQ(Value(slopes[1]).size(), 2U);
  EXPECT_LT(Value(slopes[1])[1], 0) << "the label's weight grows";
}

// As many as there are classes are all of them. What the sampler expects of each is subtracted where it belongs.
TEST_P(SampledLosses, DrawFromAllClassesByTheirSeed) {
  const auto drawn = [&](int64_t num_sampled, int64_t seed) {
    Scope scope;
    std::vector<float> ids(50);
    std::iota(ids.begin(), ids.end(), 0.0F);
    const Output weights = Constant(scope, MakeTensor<float>({50, 1}, ids)),
                 biases = Filled(scope, DType::kFloat, {50}, 0);
    const Output labels = Constant(scope, MakeTensor<int64_t>({1, 1}, {7})),
                 input = Constant(scope, MakeTensor<float>({1, 1}, {1}));
    const Output logits =
        ComputeSampledLogits(scope, {weights}, {biases}, labels, input, num_sampled, 50, {.seed = seed}).logits;
    NodeId sampler = NodeId::kNone;
    for (const Node& node : scope.builder().graph().nodes()) {
      if (node.IsOp("LogUniformCandidateSampler")) sampler = node.id;
    }
    const auto output = [&](int i) { return Output{&scope.builder(), {sampler, i}}; };
    const std::vector<Tensor> values = Evaluate(GetParam(), scope, {output(0), output(1), output(2), logits});
    const auto classes = values[0].data<int64_t>();
    const std::vector<double> of_label = Numbers(values[1]), of_sample = Numbers(values[2]),
                              actual = Numbers(values[3]);
    std::vector<float> expected = {static_cast<float>(7 - std::log(of_label[0]))};
    for (size_t i = 0; i < classes.size(); ++i) {
      expected.push_back(static_cast<float>(static_cast<double>(classes[i]) - std::log(of_sample[i])));
    }
    EXPECT_THAT(std::vector<float>(actual.begin(), actual.end()), ::testing::Pointwise(FloatEq(), expected));
    return std::vector<int64_t>(classes.begin(), classes.end());
  };
  std::vector<int64_t> all = drawn(50, 3), every(50);
  std::ranges::sort(all);
  std::iota(every.begin(), every.end(), 0);
  EXPECT_EQ(all, every);
  EXPECT_EQ(drawn(8, 3), drawn(8, 3));
  EXPECT_NE(drawn(8, 3), drawn(8, 4));
}

// Two labels of each of three examples, in parts or not: the same logits.
TEST_P(SampledLosses, AreTheSameInParts) {
  const Output labels = Constant(scope_, MakeTensor<int64_t>({3, 2}, {4, 0, 1, 3, 2, 2}));
  const Output inputs = Matrix(3, 2, {1, 2, -1, 0.5, 3, 0});
  SampledLossOptions options;
  options.num_true = 2;
  options.sample =
      SampledClasses{Constant<int64_t>(scope_, {3, 1, 4}), Matrix(3, 2, {1, 1, 1, 1, 1, 1}), Floats({1, 1, 1})};
  const auto logits = [&](const std::vector<Output>& weights, PartitionStrategy strategy) {
    options.strategy = strategy;
    const std::vector<Output> biases = {Floats({0, 0, 0, 0, 0})};
    return Value(ComputeSampledLogits(scope_, weights, biases, labels, inputs, 3, 5, options).logits);
  };
  // Class i has the weights (i, 1).
  const auto whole = logits({Matrix(5, 2, {0, 1, 1, 1, 2, 1, 3, 1, 4, 1})}, PartitionStrategy::kMod);
  EXPECT_THAT(whole, ElementsAre(6, 2, 5, 3, 6, -0.5, -2.5, -2.5, -0.5, -3.5, 6, 6, 9, 3, 12));
  const Output evens = Matrix(3, 2, {0, 1, 2, 1, 4, 1}), odds = Matrix(2, 2, {1, 1, 3, 1});
  EXPECT_EQ(logits({evens, odds}, PartitionStrategy::kMod), whole);
  const Output first = Matrix(3, 2, {0, 1, 1, 1, 2, 1}), rest = Matrix(2, 2, {3, 1, 4, 1});
  EXPECT_EQ(logits({first, rest}, PartitionStrategy::kDiv), whole);
}

TEST_P(SampledLosses, RefuseWhatDoesNotFit) {
  const auto refused = [&](const std::string& text, Output labels, int64_t sampled) {
    return Refuses([&] { NceLoss(scope_, Weights(), Biases(), labels, Matrix(1, 1, {1}), sampled, 4); },
                   Code::kInvalidArgument, text);
  };
  EXPECT_TRUE(refused("labels must be int64", Constant<int32_t>(scope_, {1}), 1));
  EXPECT_TRUE(refused("labels must be int64", Labels({1, 2}), 1));
  EXPECT_TRUE(refused("a sample of 0", Labels({1}), 0));
  EXPECT_TRUE(Refuses([&] { NceLoss(scope_, {Floats({1})}, Biases(), Labels({1}), Matrix(1, 1, {1}), 1, 4); },
                      Code::kInvalidArgument, "weights must be [classes, size]"));
}
PLUMB_ON_EACH_BACKEND(SampledLosses);

}  // namespace
}  // namespace plumb
