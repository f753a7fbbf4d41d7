// What each of these models is, in numbers worked out by hand or by its formula.
#include <map>
#include <set>

#include "client/gradients.h"
#include "models/other/autoencoder.h"
#include "models/other/deep_q.h"
#include "models/other/gan.h"
#include "models/other/kmeans.h"
#include "models/other/mixture_of_experts.h"
#include "models/other/wide_and_deep.h"
#include "models/other/word2vec.h"
#include "models/testing.h"

namespace plumb::models {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::Pointwise;

class OtherModels : public OnEachBackend {
 protected:
  Program Open() { return {scope_, OpenSession(GetParam())}; }
  Variable At(std::string_view name) { return Named(scope_, name); }
  static Tensor Rows(int64_t rows, int64_t columns, std::initializer_list<float> values) {
    return MakeTensor<float>({rows, columns}, values);
  }
  static float Number(Program& program, Output fetch, const std::vector<FeedValue>& feeds) {
    return program.Fetch(fetch, feeds).scalar<float>();
  }
  static std::vector<Output> ValuesOf(const std::vector<Variable>& variables) {
    std::vector<Output> values;
    for (const Variable& variable : variables) values.push_back(variable.value());
    return values;
  }
  std::vector<Variable> Under(std::string_view prefix) {
    std::vector<Variable> found;
    for (const Variable& variable : scope_.variables()) {
      if (variable.name().starts_with(prefix)) found.push_back(variable);
    }
    return found;
  }

  const std::unique_ptr<Optimizer> optimizer_ = Sgd({.learning_rate = 0.125});
};
PLUMB_ON_EACH_BACKEND(OtherModels);

// The discriminator rectifies, doubles and subtracts 1: a real 1 has the logit 1, a made ¼ has −½.
TEST_P(OtherModels, AGansLossesAreThoseOfRealAndMade) {
  const GanOptions options = {.features = 1, .noise = 1, .generator_units = 1, .discriminator_units = 1, .batch = 1};
  const Gan gan = BuildGan(scope_, *optimizer_, options);
  Program program = Open();
  const std::vector<FeedValue> feeds = {
      {gan.learner.inputs[0].place, Rows(1, 1, {1})}, {gan.images, Rows(1, 1, {0.25})},
      AllOf(At("discriminator/hidden/weights"), 1),   AllOf(At("discriminator/hidden/bias"), 0),
      AllOf(At("discriminator/logit/weights"), 2),    AllOf(At("discriminator/logit/bias"), -1)};
  EXPECT_THAT(Number(program, gan.generator_loss, feeds), FloatEq(static_cast<float>(Softplus(0.5))));
  EXPECT_THAT(Number(program, gan.learner.loss, feeds), FloatEq(static_cast<float>(Softplus(-1) + Softplus(-0.5))));
}

// A step changes both. With only the generator's changes its loss falls, with only the discriminator's that one's does;
// and each went down the gradient of its own loss alone.
TEST_P(OtherModels, AGansHalvesLearnAgainstEachOtherAsItWas) {
  const GanOptions options = {.features = 6, .noise = 3, .generator_units = 5, .discriminator_units = 5, .batch = 3};
  const Gan gan = BuildGan(scope_, *optimizer_, options);
  const std::vector<Variable> generator = Under("generator"), discriminator = Under("discriminator");
  const auto slopes = [](Output loss, const std::vector<Variable>& of) {
    std::vector<Output> xs;
    for (const Variable& variable : of) xs.push_back(variable.ref());
    return DenseGradients({loss}, xs);
  };
  const std::vector<Output> generators = slopes(gan.generator_loss, generator);
  const std::vector<Output> discriminators = slopes(gan.learner.loss, discriminator);
  Program program = Open();
  program.Run(gan.learner.init);
  const std::vector<FeedValue> batch = Batch(gan.learner);
  const float generator_loss = Number(program, gan.generator_loss, batch);
  const float discriminator_loss = Number(program, gan.learner.loss, batch);
  const auto values = [&](const std::vector<Variable>& of) { return program.Fetch(ValuesOf(of)); };
  const std::vector<Tensor> old_generator = values(generator), old_discriminator = values(discriminator);
  const std::vector<Tensor> down_generator = program.Fetch(generators, batch);
  const std::vector<Tensor> down_discriminator = program.Fetch(discriminators, batch);
  program.Run(gan.learner.train, batch);

  const auto as_before = [&](const std::vector<Variable>& of, const std::vector<Tensor>& old) {
    std::vector<FeedValue> feeds = batch;
    for (size_t i = 0; i < of.size(); ++i) feeds.emplace_back(of[i].value(), old[i]);
    return feeds;
  };
  EXPECT_LT(Number(program, gan.generator_loss, as_before(discriminator, old_discriminator)), generator_loss);
  EXPECT_LT(Number(program, gan.learner.loss, as_before(generator, old_generator)), discriminator_loss);
  const auto went_down = [&](const std::vector<Variable>& of, const std::vector<Tensor>& old,
                             const std::vector<Tensor>& slope) {
    const std::vector<Tensor> now = values(of);
    for (size_t i = 0; i < of.size(); ++i) {
      std::vector<float> expected = Floats32(old[i]);
      for (size_t j = 0; j < expected.size(); ++j) expected[j] -= 0.125f * slope[i].data<float>()[j];
      EXPECT_THAT(Floats32(now[i]), Pointwise(FloatEq(), expected)) << of[i].name();
    }
  };
  went_down(generator, old_generator, down_generator);
  went_down(discriminator, old_discriminator, down_discriminator);
}

std::vector<FeedValue> Transitions(const DeepQ& model) {
  const auto place = [&](size_t input) { return model.learner.inputs[input].place; };
  return {{place(0), MakeTensor<float>({2, 1}, {1, 1})},
          {place(1), MakeTensor<int32_t>({2}, {1, 0})},
          {place(2), MakeTensor<float>({2}, {0.5, -1})},
          {place(3), MakeTensor<float>({2, 1}, {1, 1})},
          {place(4), MakeTensor<int32_t>({2}, {1, 0})}};
}

// The network says 2 and 3 of the two actions, the copy 5 and 4. Of action 1, ½ + ¾ · 5 was to be expected; of action
// 0, after which the episode ended, −1. What is further off than 1 counts in a line.
TEST_P(OtherModels, ADeepQsTargetsAreItsCopys) {
  const DeepQ model = BuildDeepQ(scope_, *optimizer_, {.features = 1, .units = 1, .discount = 0.75, .batch = 2});
  Program program = Open();
  const auto of = [&](size_t i) { return scope_.variables()[i]; };  // four of the network, four of its copy
  std::vector<FeedValue> feeds = Transitions(model);
  for (const size_t first : {size_t{0}, size_t{4}}) {
    feeds = feeds + std::vector{AllOf(of(first), 1), AllOf(of(first + 1), 0), AllOf(of(first + 2), 0)};
  }
  feeds = feeds + std::vector{Given(of(3), {2, 3}), Given(of(7), {5, 4})};
  const double off = 0.5 + 0.75 * 5 - 3, of_last = 2 - -1;
  EXPECT_THAT(Number(program, model.learner.loss, feeds), FloatEq(static_cast<float>((off - 0.5 + of_last - 0.5) / 2)));
}

// Only the network learns; when told, the copy takes every number of it.
TEST_P(OtherModels, ADeepQsCopyIsLeftAloneUntilItFollows) {
  const DeepQ model = BuildDeepQ(scope_, *optimizer_, {.features = 3, .units = 5, .batch = 4});
  const std::vector<Variable> all = scope_.variables();
  ASSERT_EQ(all.size(), 8U);
  Program program = Open();
  program.Run(model.learner.init);
  const auto numbers = [&](size_t first) {
    std::vector<std::vector<float>> values;
    for (const Tensor& value : program.Fetch(ValuesOf({all.begin() + first, all.begin() + first + 4}))) {
      values.push_back(Floats32(value));
    }
    return values;
  };
  const auto network = numbers(0), copy = numbers(4);
  EXPECT_EQ(copy, network);
  program.Run(model.learner.train, Batch(model.learner));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NE(numbers(0)[i], network[i]) << i;
    EXPECT_EQ(numbers(4)[i], copy[i]) << i;
  }
  program.Run(model.follow);
  EXPECT_EQ(numbers(4), numbers(0));
}

// Centres 0, 10 and 100 on a line: two points go to the first, three to the second, none to the third.
TEST_P(OtherModels, KMeansMovesCentresToTheirPoints) {
  const Learner model = BuildKMeans(scope_, {.clusters = 3, .features = 2, .points = 5});
  Program program = Open();
  program.Run(model.init);
  const Variable centres = scope_.variables()[0];
  const std::vector<FeedValue> feeds = {{model.inputs[0].place, Rows(5, 2, {1, 0, 9, 1, -2, 4, 12, 2, 15, 0})},
                                        Given(centres, {0, 0, 10, 0, 100, 0})};
  EXPECT_THAT(Number(program, model.loss, feeds), FloatEq((1 + (1 + 1) + (4 + 16) + (4 + 4) + 25) / 5.0f));
  program.Run(model.train, feeds);
  EXPECT_THAT(Floats32(program.Fetch(centres.value())), ElementsAre(-0.5, 2, 12, 1, 100, 0));
}

// The gate says ½, 3, 1 and 2: the experts 1 and 3 answer, weighed by the softmax of 3 and 2. What is negative in their
// mix is rectified.
TEST_P(OtherModels, ChosenExpertsAreMixedByTheirGates) {
  const MixtureOfExpertsOptions options = {
      .features = 2, .classes = 3, .experts = 4, .chosen = 2, .units = 2, .outputs = 3, .batch = 1};
  const Learner model = BuildMixtureOfExperts(scope_, *optimizer_, options);
  Program program = Open();
  program.Run(model.init);
  const char* const experts[] = {"expert", "expert_1", "expert_2", "expert_3"};
  const float answers[4][3] = {{9, 9, 9}, {1, 2, -8}, {-7, 7, 7}, {3, -1, -8}};
  std::vector<FeedValue> feeds = {{model.inputs[0].place, Rows(1, 2, {0.5, 0.25})},
                                  {model.inputs[1].place, MakeTensor<int32_t>({1}, {1})},
                                  AllOf(At("gate/weights"), 0),
                                  Given(At("gate/bias"), {0.5, 3, 1, 2}),
                                  Given(At("logits/weights"), {1, 0, 0, 0, 1, 0, 0, 0, 1}),
                                  AllOf(At("logits/bias"), 0)};
  for (size_t i = 0; i < 4; ++i) {
    const std::string name = experts[i];
    feeds.push_back(AllOf(At(name + "/output/weights"), 0));
    feeds.push_back(Given(At(name + "/output/bias"), {answers[i][0], answers[i][1], answers[i][2]}));
  }
  const double first = 1 / (1 + std::exp(-1)), second = 1 - first;
  EXPECT_THAT(Number(program, model.loss, feeds),
              FloatEq(static_cast<float>(CrossEntropy({first + 3 * second, 2 * first - second, 0}, 1))));
}

// Categories 0 and 2 weigh ½ and 2, category 3 ¼, twice; the perceptron adds ⅛ to both.
TEST_P(OtherModels, WideAndDeepAddUp) {
  const WideAndDeepOptions options = {
      .categories = 4, .fields = 2, .numbers = 1, .embedding = 2, .units = {8}, .batch = 2};
  const Learner model = BuildWideAndDeep(scope_, *optimizer_, options);
  Program program = Open();
  program.Run(model.init);
  const auto batch = [&](std::initializer_list<int32_t> categories, std::initializer_list<float> numbers) {
    return std::vector<FeedValue>{{model.inputs[0].place, MakeTensor<int32_t>({2, 2}, categories)},
                                  {model.inputs[1].place, MakeTensor<float>({2, 1}, numbers)},
                                  {model.inputs[2].place, MakeTensor<int32_t>({2}, {1, 0})}};
  };
  const std::vector<FeedValue> wide =
      batch({0, 2, 3, 3}, {0.5, 0.25}) + std::vector{Given(At("wide_weights"), {0.5, -1, 2, 0.25}),
                                                     AllOf(At("logit/weights"), 0), AllOf(At("logit/bias"), 0.125)};
  EXPECT_THAT(Number(program, model.loss, wide),
              FloatEq(static_cast<float>((Softplus(-(0.5 + 2 + 0.125)) + Softplus(0.25 + 0.25 + 0.125)) / 2)));
  // The perceptron sees the number and each field's category, in its place.
  const float deep = Number(program, model.loss, batch({0, 2, 3, 3}, {0.5, 0.25}));
  EXPECT_NE(Number(program, model.loss, batch({0, 2, 3, 3}, {0.75, 0.25})), deep);
  EXPECT_NE(Number(program, model.loss, batch({1, 2, 3, 3}, {0.5, 0.25})), deep);
  EXPECT_NE(Number(program, model.loss, batch({0, 1, 3, 3}, {0.5, 0.25})), deep);
  EXPECT_NE(Number(program, model.loss, batch({2, 0, 3, 3}, {0.5, 0.25})), deep);
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One number between (¼, ¾) and itself: the code is a sum, what is around it are sigmoids.
TEST_P(OtherModels, AutoencodersPassThroughTheirCode) {
  const Learner model = BuildAutoencoder(scope_, *optimizer_, {.features = 2, .units = {2, 1}, .batch = 1});
  Program program = Open();
  const std::vector<FeedValue> feeds = {{model.inputs[0].place, Rows(1, 2, {0.25, 0.75})},
                                        Given(At("encoder1/weights"), {1, 2, 3, -1}),
                                        Given(At("encoder1/bias"), {-1, 0.5}),
                                        Given(At("encoder2/weights"), {2, 4}),
                                        Given(At("encoder2/bias"), {0.5}),
                                        Given(At("decoder1/weights"), {0.5, 0.25}),
                                        Given(At("decoder1/bias"), {-1, 1}),
                                        Given(At("decoder0/weights"), {1, -2, 3, 1}),
                                        Given(At("decoder0/bias"), {0.5, -0.25})};
  const double code = 2 * Sigmoid(0.25 + 3 * 0.75 - 1) + 4 * Sigmoid(2 * 0.25 - 0.75 + 0.5) + 0.5;
  const double first = Sigmoid(0.5 * code - 1), second = Sigmoid(0.25 * code + 1);
  const double logits[2] = {first + 3 * second + 0.5, -2 * first + second - 0.25};
  const double loss = (Softplus(logits[0]) - 0.25 * logits[0] + Softplus(logits[1]) - 0.75 * logits[1]) / 2;
  EXPECT_THAT(Number(program, model.loss, feeds), FloatEq(static_cast<float>(loss)));
}

// A step moves the vectors of the words that it reads and no others. Each neighbour's weights move along its word's
// vector, and its bias rises; that of the sample, frequent words which none of them is, falls.
TEST_P(OtherModels, Word2VecTellsNeighboursFromASample) {
  constexpr int64_t kWords = 1000, kSize = 5, kSampled = 2;
  const Learner model =
      BuildWord2Vec(scope_, *optimizer_, {.vocabulary = kWords, .size = kSize, .sampled = kSampled, .batch = 3});
  const std::vector<int32_t> words = {4, 917, 9}, neighbours = {911, 712, 813};
  const std::vector<FeedValue> batch = {{model.inputs[0].place, MakeTensor<int32_t>({3}, words)},
                                        {model.inputs[1].place, MakeTensor<int32_t>({3}, neighbours)}};
  Program program = Open();
  program.Run(model.init);
  // What the step added to each row of a variable that it changed.
  std::map<std::string, std::vector<float>> before;
  for (const char* name : {"vectors", "weights", "bias"}) before[name] = Floats32(program.Fetch(At(name).value()));
  program.Run(model.train, batch);
  const auto added = [&](const char* name, size_t size) {
    const std::vector<float> now = Floats32(program.Fetch(At(name).value()));
    std::map<int32_t, std::vector<double>> rows;
    for (size_t i = 0; i < now.size(); ++i) {
      if (now[i] == before[name][i]) continue;
      auto& row = rows[static_cast<int32_t>(i / size)];
      row.resize(size);
      row[i % size] = static_cast<double>(now[i]) - before[name][i];
    }
    return rows;
  };
  std::set<int32_t> moved;
  for (const auto& [word, row] : added("vectors", kSize)) moved.insert(word);
  EXPECT_THAT(moved, ElementsAre(4, 9, 917));
  auto weights = added("weights", kSize), biases = added("bias", 1);
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(biases.count(neighbours[i]), 1U);
    EXPECT_GT(biases[neighbours[i]][0], 0) << neighbours[i];
    double along = 0;
    for (size_t j = 0; j < kSize; ++j)
      along += weights[neighbours[i]][j] * before["vectors"][static_cast<size_t>(words[i]) * kSize + j];
    EXPECT_GT(along, 0) << neighbours[i];
    biases.erase(neighbours[i]);
  }
  EXPECT_EQ(biases.size(), kSampled);
  for (const auto& [word, row] : biases) EXPECT_LT(row[0], 0) << word;
}

}  // namespace
}  // namespace plumb::models
