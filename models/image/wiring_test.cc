// What the classifiers of images compute when some of their layers are given weights: through which layers an image
// goes, what is rectified, dropped and minimised besides.
#include "models/catalogue.h"
#include "models/testing.h"

namespace plumb::models {
namespace {

using ::testing::FloatEq;
using ::testing::Pointwise;

constexpr int64_t kClasses = 4;
constexpr float kVeryNegative = -1e6f;

const ImageModelEntry& Find(std::string_view name) {
  for (const ImageModelEntry& entry : ImageModels()) {
    if (entry.name == name) return entry;
  }
  throw InvalidArgument("no model is called '", name, "'");
}

// The images are as small as the model takes, and as narrow.
ImageOptions Small(std::string_view name, bool is_training) {
  ImageOptions options = {.side = 32, .classes = kClasses, .width = 0.03125, .batch = 2};
  options.is_training = is_training;
  if (name.starts_with("googlenet")) options.width = 0.25;  // with fewer units some layers have silent ones only
  if (name == "alexnet") options.side = 67;
  if (name == "overfeat") options.side = 71;
  if (name == "inception-v3") options.side = 75;
  return options;
}

struct Running {
  Running(std::string_view backend, std::string_view name, bool is_training = false)
      : optimizer(Sgd({.learning_rate = 0.125})),
        model(Find(name).build(scope, *optimizer, Small(name, is_training))),
        program(scope, OpenSession(backend)) {
    Learner images;
    images.inputs = {{model.images}, {model.labels, kClasses}};
    batch = Batch(images);
    program.Run(model.init);
  }
  std::vector<float> Logits(const std::vector<FeedValue>& given = {}) {
    return Floats32(program.Fetch(model.logits, batch + given));
  }
  // Of each of the two images.
  static std::vector<std::vector<float>> Halves(const std::vector<float>& logits) {
    return {{logits.begin(), logits.begin() + kClasses}, {logits.begin() + kClasses, logits.end()}};
  }

  Scope scope;
  std::unique_ptr<Optimizer> optimizer;
  ImageClassifier model;
  Program program;
  std::vector<FeedValue> batch;
};

class ImageWiring : public OnEachBackend {};
PLUMB_ON_EACH_BACKEND(ImageWiring);

// Where a layer sees nothing but its bias, images cannot be told apart behind it; negative numbers do not leave it.
TEST_P(ImageWiring, PlainNetworksGoThroughEachRectifiedLayer) {
  for (const char* name : {"mlp", "lenet", "cifar10", "alexnet", "overfeat", "vgg-a"}) {
    Running running(GetParam(), name);
    const auto apart = Running::Halves(running.Logits());
    EXPECT_NE(apart[0], apart[1]) << name;
    const std::vector<Variable>& all = running.scope.variables();
    for (size_t layer = 0; layer + 2 < all.size(); layer += 2) {
      const auto with_bias = [&](float bias) {
        return running.Logits({AllOf(all[layer], 0), AllOf(all[layer + 1], bias)});
      };
      const std::vector<float> none = with_bias(0);
      const auto together = Running::Halves(none);
      EXPECT_THAT(together[0], Pointwise(FloatEq(), together[1])) << name << ", " << all[layer].name();
      EXPECT_EQ(with_bias(-1), none) << name << ", " << all[layer].name();
    }
  }
}

// Units are dropped while a network is trained, if it drops any.
TEST_P(ImageWiring, DropsUnitsWhileTraining) {
  const std::vector<std::string_view> dropping = {"alexnet",   "overfeat",        "vgg-a",
                                                  "googlenet", "googlenet-heads", "inception-v3"};
  for (const ImageModelEntry& entry : ImageModels()) {
    const bool drops = std::ranges::find(dropping, entry.name) != dropping.end();
    Running training(GetParam(), entry.name, true), serving(GetParam(), entry.name);
    bool differed = false;
    const std::vector<float> first = training.Logits();
    for (int i = 0; i < 4; ++i) differed |= training.Logits() != first;
    EXPECT_EQ(differed, drops) << entry.name;
    EXPECT_EQ(serving.Logits(), serving.Logits()) << entry.name;
  }
}

// The sum of both ways is rectified: what comes through the convolutions may take away what goes around them.
TEST_P(ImageWiring, ResNetRectifiesTheSumOfBothWays) {
  Running running(GetParam(), "resnet-50");
  const auto norm = [&](const char* what) { return Named(running.scope, Str("stage4_block3/conv3/norm/", what)); };
  const std::vector<float> nothing = running.Logits({AllOf(norm("scale"), 0), AllOf(norm("offset"), kVeryNegative)});
  for (const float logit : nothing) EXPECT_EQ(logit, 0) << "the logits' bias";
  const std::vector<float> around = running.Logits({AllOf(norm("scale"), 0), AllOf(norm("offset"), 0)});
  EXPECT_NE(around, nothing);
  // In a block that changes the number of channels the way around is a projection.
  const auto first = [&](const char* what) { return Named(running.scope, Str("stage4_block1/", what)); };
  const auto without = running.Logits({AllOf(first("conv3/norm/scale"), 0), AllOf(first("projection/norm/scale"), 0)});
  const auto halves = Running::Halves(without);
  EXPECT_THAT(halves[0], Pointwise(FloatEq(), halves[1])) << "there is no third way";
}

// Each classifier in the middle adds three tenths of its cross entropy.
TEST_P(ImageWiring, GoogLeNetsHeadsAddTheirLosses) {
  Running running(GetParam(), "googlenet-heads", true);
  std::vector<FeedValue> feeds = running.batch;
  feeds[1].second = MakeTensor<int32_t>({2}, {0, 2});
  const double biases[3][4] = {{1, 0, 0, 0.5}, {0, 2, 0, 0.5}, {0, 0, 3, 0.5}};
  const char* const places[] = {"", "head1/", "head2/"};
  double expected = 0;
  for (size_t i = 0; i < 3; ++i) {
    const std::string name = Str(places[i], "logits");
    const std::vector<double> logits(biases[i], biases[i] + kClasses);
    feeds.push_back(AllOf(Named(running.scope, name + "/weights"), 0));
    feeds.push_back(Given(Named(running.scope, name + "/bias"), {logits.begin(), logits.end()}));
    expected += (i == 0 ? 1 : 0.3) * (CrossEntropy(logits, 0) + CrossEntropy(logits, 2)) / 2;
  }
  EXPECT_THAT(running.program.Fetch(running.model.loss, feeds).scalar<float>(), FloatEq(static_cast<float>(expected)));
}

// The first head follows module 4a, the second 4d. Equal seeds drop the same units in new sessions.
TEST_P(ImageWiring, GoogLeNetsHeadsFollowTheirModules) {
  const auto loss = [&](std::string_view head, std::string_view module) {
    Running running(GetParam(), "googlenet-heads", true);
    std::vector<FeedValue> feeds = running.batch;
    for (const std::string_view name : {"logits", "head1/logits", "head2/logits"}) {
      if (!name.starts_with(head)) feeds.push_back(AllOf(Named(running.scope, Str(name, "/weights")), 0));
    }
    if (!module.empty()) feeds.push_back(AllOf(Named(running.scope, Str("inception_", module, "/1x1/bias")), 1));
    return running.program.Fetch(running.model.loss, feeds).scalar<float>();
  };
  for (const auto& [head, last, next] : {std::tuple("head1", "4a", "4b"), std::tuple("head2", "4d", "4e")}) {
    const float untouched = loss(head, "");
    EXPECT_NE(loss(head, last), untouched) << head;
    EXPECT_EQ(loss(head, next), untouched) << head;
  }
}

// 0.004 times half of the squares of the layers that see the whole image.
TEST_P(ImageWiring, Cifar10MinimisesWeightsToo) {
  Running running(GetParam(), "cifar10");
  const Variable local3 = Named(running.scope, "local3/weights"), local4 = Named(running.scope, "local4/weights");
  const std::vector<FeedValue> feeds =
      running.batch +
      std::vector{AllOf(local3, 0.5), AllOf(local4, -1), AllOf(Named(running.scope, "softmax_linear/weights"), 0)};
  const auto count = [](const Variable& of) { return static_cast<double>(of.shape().ToShape().elements()); };
  const double expected = std::log(4) + 0.004 * (count(local3) * 0.25 + count(local4)) / 2;
  EXPECT_THAT(running.program.Fetch(running.model.loss, feeds).scalar<float>(), FloatEq(static_cast<float>(expected)));
}

// All images pass for class 2, which one of them is.
TEST_P(ImageWiring, TellsHowManyAreCorrect) {
  Running running(GetParam(), "softmax");
  std::vector<FeedValue> feeds = running.batch;
  feeds[1].second = MakeTensor<int32_t>({2}, {0, 2});
  feeds.push_back(AllOf(running.scope.variables()[0], 0));
  feeds.push_back(Given(running.scope.variables()[1], {0.5, -1, 2, 1}));
  EXPECT_EQ(running.program.Fetch(running.model.correct, feeds).scalar<float>(), 0.5f);
  EXPECT_THAT(running.program.Fetch(running.model.loss, feeds).scalar<float>(),
              FloatEq(static_cast<float>((CrossEntropy({0.5, -1, 2, 1}, 0) + CrossEntropy({0.5, -1, 2, 1}, 2)) / 2)));
}

// A step changes each of the variables, the averages of batch norm too. Biases above 0 keep units from being silent.
TEST_P(ImageWiring, EveryVariableIsTrained) {
  for (const ImageModelEntry& entry : ImageModels()) {
    Running running(GetParam(), entry.name, true);
    std::vector<Output> values;
    std::vector<FeedValue> feeds = running.batch;
    for (const Variable& variable : running.scope.variables()) {
      values.push_back(variable.value());
      if (variable.name().ends_with("bias")) feeds.push_back(AllOf(variable, 1));
    }
    const std::vector<Tensor> before = running.program.Fetch(values);
    running.program.Run(running.model.train, feeds);
    const std::vector<Tensor> after = running.program.Fetch(values);
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_NE(Floats32(before[i]), Floats32(after[i])) << entry.name << ", " << running.scope.variables()[i].name();
    }
  }
}

}  // namespace
}  // namespace plumb::models
