// The classifiers of images: as large as published, and trained with their full topology on small images.
#include <gtest/gtest.h>

#include "backends/backends.h"
#include "conformance/compare/oracle.h"
#include "models/catalogue.h"
#include "models/parameters.h"

namespace plumb::models {
namespace {

// How a model is made so small that the reference trains it in no time.
struct Trial {
  const char* model;
  int64_t parameters;  // as published, at full size
  int64_t side;
  double width;
  double learning_rate;
  int64_t batch = 2;
};

constexpr Trial kTrials[] = {
    {.model = "softmax", .parameters = 7'850, .side = 28, .width = 1, .learning_rate = 0.01},
    {.model = "mlp", .parameters = 101'770, .side = 28, .width = 0.25, .learning_rate = 0.01},
    {.model = "lenet", .parameters = 1'663'370, .side = 28, .width = 0.0625, .learning_rate = 0.05},
    {.model = "cifar10", .parameters = 1'068'298, .side = 24, .width = 0.0625, .learning_rate = 0.05},
    {.model = "alexnet", .parameters = 60'965'224, .side = 67, .width = 0.03125, .learning_rate = 0.05},
    {.model = "overfeat", .parameters = 145'920'872, .side = 71, .width = 0.0625, .learning_rate = 0.01},
    {.model = "vgg-a", .parameters = 132'863'336, .side = 32, .width = 0.03125, .learning_rate = 0.05},
    {.model = "googlenet", .parameters = 6'998'552, .side = 32, .width = 0.0625, .learning_rate = 0.05},
    {.model = "googlenet-heads", .parameters = 13'378'280, .side = 32, .width = 0.03125, .learning_rate = 0.05},
    {.model = "inception-v3",
     .parameters = 23'834'568,
     .side = 75,
     .width = 0.03125,
     .learning_rate = 0.05,
     .batch = 4},
    {.model = "resnet-50", .parameters = 25'557'032, .side = 32, .width = 0.03125, .learning_rate = 0.05, .batch = 4},
};

const ImageModelEntry& Find(std::string_view name) {
  for (const ImageModelEntry& entry : ImageModels()) {
    if (entry.name == name) return entry;
  }
  throw InvalidArgument("no model is called '", name, "'");
}

class ImageModelTest : public ::testing::TestWithParam<Trial> {};

TEST(ImageCatalogue, HasATrialOfEachModel) { EXPECT_EQ(ImageModels().size(), std::size(kTrials)); }

TEST_P(ImageModelTest, IsAsLargeAsPublished) {
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const ImageClassifier model = Find(GetParam().model).build(scope, *optimizer, {});
  EXPECT_EQ(ParameterCount(scope), GetParam().parameters);
  EXPECT_EQ(model.logits.shape().dim(1), Find(GetParam().model).paper.classes);
}

TEST_P(ImageModelTest, HasNothingToTrainWhereItServes) {
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const ImageClassifier model = Find(GetParam().model).build(scope, *optimizer, {.is_training = false});
  EXPECT_EQ(model.train, NodeId::kNone);
  EXPECT_EQ(ParameterCount(scope), GetParam().parameters);
}

// Images whose pixels differ by a rule of the class, the same for every model.
std::vector<Feed> Images(const ImageClassifier& model, int64_t classes) {
  Tensor images(DType::kFloat, model.images.shape().ToShape()), labels(DType::kInt32, model.labels.shape().ToShape());
  uint32_t state = 1;
  for (float& pixel : images.mutable_data<float>()) {
    state = state * 1664525u + 1013904223u;
    pixel = static_cast<float>(state >> 16) / 65536.0f;
  }
  for (int64_t i = 0; i < labels.elements(); ++i) labels.mutable_data<int32_t>()[i] = static_cast<int32_t>(i % classes);
  return {{model.images.name(), images}, {model.labels.name(), labels}};
}

// The CPU backend and the reference, which takes the same steps and says what each number may be.
class Pair {
 public:
  explicit Pair(Scope& scope) : session_(OpenSession("cpu")), oracle_(scope.ToGraphDef()) {
    const Status extended = session_->Extend(scope.ToGraphDef());
    EXPECT_TRUE(extended.ok()) << extended.ToString();
    EXPECT_TRUE(oracle_.loaded().ok()) << oracle_.loaded().ToString();
  }

  struct Answers {
    std::vector<Tensor> actual;
    std::vector<reference::Value> expected;
  };
  Answers Run(const conformance::StepRequest& step) {
    Answers answers;
    const Status done = session_->Run(step.feeds, step.fetches, step.targets, &answers.actual);
    const Status known = oracle_.Run(step, &answers.expected);
    EXPECT_TRUE(done.ok()) << done.ToString();
    EXPECT_TRUE(known.ok()) << known.ToString();
    if (!done.ok() || !known.ok()) return {};
    for (size_t i = 0; i < step.fetches.size(); ++i) {
      const conformance::Verdict verdict =
          conformance::Compare(answers.actual[i], answers.expected[i], oracle_.Sampler(i));
      EXPECT_TRUE(verdict.ok()) << step.fetches[i] << ": " << verdict.detail;
    }
    return answers;
  }

 private:
  const std::unique_ptr<Session> session_;
  conformance::Oracle oracle_;
};

// Without dropping units, and with the averages that batch norm keeps.
TEST_P(ImageModelTest, ServesOnBothBackends) {
  constexpr int64_t kClasses = 4;
  const Trial& trial = GetParam();
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = trial.learning_rate});
  const ImageClassifier model = Find(trial.model)
                                    .build(scope, *optimizer,
                                           {.side = trial.side,
                                            .classes = kClasses,
                                            .width = trial.width,
                                            .batch = trial.batch,
                                            .is_training = false});
  Pair both(scope);
  both.Run({{}, {}, {scope.NameOf(model.init)}});
  both.Run({Images(model, kClasses), {model.logits.name(), model.correct.name()}, {}});
}

// Its loss falls on the same batch again and again.
TEST_P(ImageModelTest, LearnsOnBothBackends) {
  constexpr int64_t kClasses = 4;
  const Trial& trial = GetParam();
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = trial.learning_rate});
  const ImageClassifier model =
      Find(trial.model)
          .build(scope, *optimizer,
                 {.side = trial.side, .classes = kClasses, .width = trial.width, .batch = trial.batch});
  Pair both(scope);
  both.Run({{}, {}, {scope.NameOf(model.init)}});
  const conformance::StepRequest train = {Images(model, kClasses), {model.loss.name()}, {scope.NameOf(model.train)}};
  std::vector<float> actual_losses, expected_losses;
  for (int step = 1; step <= 3; ++step) {
    const auto [actual, expected] = both.Run(train);
    ASSERT_FALSE(actual.empty() || expected.empty());
    actual_losses.push_back(actual[0].scalar<float>());
    expected_losses.push_back(expected[0].tensor.scalar<float>());
  }
  EXPECT_LT(actual_losses.back(), actual_losses.front()) << ::testing::PrintToString(actual_losses);
  EXPECT_LT(expected_losses.back(), expected_losses.front()) << ::testing::PrintToString(expected_losses);
}

INSTANTIATE_TEST_SUITE_P(, ImageModelTest, ::testing::ValuesIn(kTrials), [](const auto& info) {
  std::string name = info.param.model;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace plumb::models
