// The models that are no classifiers of images: as large as computed by hand, and trained beside the reference.
#include "models/learners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "backends/backends.h"
#include "conformance/compare/oracle.h"
#include "models/parameters.h"
#include "models/testing.h"
#include "spec/ops/op_def.h"

namespace plumb::models {
namespace {

struct Trial {
  const char* model;
  int64_t parameters;  // at full size, part by part
  double learning_rate;
};

// Of an LSTM, and of a layer with bias.
constexpr int64_t Lstm(int64_t in, int64_t state, int64_t units) { return (in + state + 1) * 4 * units; }
constexpr int64_t Layer(int64_t in, int64_t out) { return (in + 1) * out; }

constexpr int64_t kLanguageModel = 40'000 * 512 + Lstm(512, 512, 512) + 512 * 512 + Layer(512, 40'000);
static_assert(kLanguageModel == 43'361'344);

constexpr Trial kTrials[] = {
    {"lstm-512-512", kLanguageModel, 0.5},
    {"lstm-512-512-sampled", kLanguageModel, 0.5},
    // Two embeddings, two LSTMs (the writer reads its attention too), keys, the attention's layer, the logits.
    {"seq2seq",
     2 * 40'000 * 512 + Lstm(512, 512, 512) + Lstm(1024, 512, 512) + 512 * 512 + 1024 * 512 + Layer(512, 40'000), 0.5},
    {"pointer-network", 2 * Lstm(2, 256, 256) + 2 * 256 * 256 + 256, 0.5},
    {"captioning",
     Layer(27, 32) + Layer(9 * 32, 64) + Layer(9 * 64, 128) + 2 * Layer(128, 512) + 12'000 * 512 + Lstm(512, 512, 512) +
         Layer(512, 12'000),
     0.5},
    // Words, positions; six times queries, keys, values, outputs, the perceptron and two norms; the last norm.
    {"transformer",
     37'000 * 512 + 64 * 512 + 6 * (4 * Layer(512, 512) + Layer(512, 2048) + Layer(2048, 512) + 4 * 512) + 2 * 512,
     0.05},
    // Words, places of both sentences; six layers that read, and six that look at the source besides; the last norms.
    {"transformer-translation",
     37'000 * 512 + 2 * 32 * 512 + 6 * (4 * Layer(512, 512) + Layer(512, 2048) + Layer(2048, 512) + 4 * 512) +
         6 * (8 * Layer(512, 512) + Layer(512, 2048) + Layer(2048, 512) + 6 * 512) + 4 * 512,
     0.05},
    {"autoencoder",
     Layer(784, 1000) + Layer(1000, 500) + Layer(500, 250) + Layer(250, 30) + Layer(30, 250) + Layer(250, 500) +
         Layer(500, 1000) + Layer(1000, 784),
     0.5},
    {"word2vec", 50'000 * 128 + Layer(128, 50'000), 0.1},
    {"wide-and-deep",
     100'000 + 100'000 * 32 + Layer(26 * 32 + 13, 1024) + Layer(1024, 512) + Layer(512, 256) + Layer(256, 1), 0.1},
    {"mixture-of-experts", Layer(784, 16) + 16 * (Layer(784, 256) + Layer(256, 128)) + Layer(128, 10), 0.1},
    {"gan", Layer(100, 128) + Layer(128, 784) + Layer(784, 128) + Layer(128, 1), 0.1},
    {"deep-q", Layer(4, 64) + Layer(64, 2), 0.1},
    {"k-means", 64 * 16, 1},
};

const LearnerEntry& Find(std::string_view name) {
  for (const LearnerEntry& entry : Learners()) {
    if (entry.name == name) return entry;
  }
  throw InvalidArgument("no model is called '", name, "'");
}

bool SameNumbers(const Tensor& a, const Tensor& b) {
  const auto left = a.data<float>(), right = b.data<float>();
  return std::equal(left.begin(), left.end(), right.begin(), right.end());
}

class LearnerTest : public ::testing::TestWithParam<Trial> {};

TEST(LearnerCatalogue, HasATrialOfEachModel) { EXPECT_EQ(Learners().size(), std::size(kTrials)); }

TEST(LearnerCatalogue, DrawsEqualBatchesForEqualSeeds) {
  Scope scope;
  Learner model;
  model.FeedIds(scope, {5}, 3, "ids");
  model.FeedNumbers(scope, {2, 2}, "numbers");
  const std::vector<Feed> once = SyntheticBatch(model, 7), again = SyntheticBatch(model, 7);
  ASSERT_EQ(once.size(), 2U);
  for (size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(conformance::Compare(once[i].second, reference::Value{again[i].second}, {}).ok(), true);
  }
  for (const int32_t id : once[0].second.data<int32_t>()) EXPECT_TRUE(id >= 0 && id < 3) << id;
}

TEST_P(LearnerTest, IsAsLargeAsComputed) {
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  Find(GetParam().model).build(scope, *optimizer, LearnerSize::kFull);
  EXPECT_EQ(ParameterCount(scope), GetParam().parameters);
}

// The CPU backend takes the same steps as the reference, which says what each loss may be; on one batch again and again
// the loss falls.
TEST_P(LearnerTest, LearnsOnBothBackends) {
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = GetParam().learning_rate});
  const Learner model = Find(GetParam().model).build(scope, *optimizer, LearnerSize::kSmall);
  const auto session = OpenSession("cpu");
  ASSERT_TRUE(session->Extend(scope.ToGraphDef()).ok());
  conformance::Oracle oracle(scope.ToGraphDef());
  ASSERT_TRUE(oracle.loaded().ok()) << oracle.loaded().ToString();
  std::vector<Tensor> actual;
  std::vector<reference::Value> expected;
  const auto run = [&](const conformance::StepRequest& step) {
    const Status done = session->Run(step.feeds, step.fetches, step.targets, &actual);
    const Status known = oracle.Run(step, &expected);
    ASSERT_TRUE(done.ok()) << done.ToString();
    ASSERT_TRUE(known.ok()) << known.ToString();
  };
  ASSERT_NO_FATAL_FAILURE(run({{}, {}, {scope.NameOf(model.init)}}));
  const conformance::StepRequest train = {SyntheticBatch(model, 1), {model.loss.name()}, {scope.NameOf(model.train)}};
  std::vector<float> actual_losses, expected_losses;
  for (int step = 1; step <= 4; ++step) {
    ASSERT_NO_FATAL_FAILURE(run(train));
    const conformance::Verdict verdict = conformance::Compare(actual[0], expected[0], oracle.Sampler(0));
    EXPECT_TRUE(verdict.ok()) << "step " << step << ": " << verdict.detail;
    actual_losses.push_back(actual[0].scalar<float>());
    expected_losses.push_back(expected[0].tensor.scalar<float>());
  }
  EXPECT_LT(actual_losses.back(), actual_losses.front()) << ::testing::PrintToString(actual_losses);
  EXPECT_LT(expected_losses.back(), expected_losses.front()) << ::testing::PrintToString(expected_losses);
}

// By the first four of an example's six numbers: for some example each of the four experts is among the chosen.
const std::vector<float> kGates = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};

// A step changes each of the variables that are trained. Biases above 0 keep rectified units from being silent.
TEST_P(LearnerTest, EveryVariableIsTrained) {
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = GetParam().learning_rate});
  const Learner model = Find(GetParam().model).build(scope, *optimizer, LearnerSize::kSmall);
  std::vector<Output> values;
  std::vector<FeedValue> feeds = Batch(model);
  for (const Variable& variable : TrainableVariables(scope)) {
    values.push_back(variable.value());
    if (variable.name().ends_with("hidden/bias")) feeds.push_back(AllOf(variable, 1));
    if (variable.name() == "gate/weights") feeds.push_back(Given(variable, kGates));
  }
  Program program(scope, OpenSession("cpu"));
  program.Run(model.init);
  const std::vector<Tensor> before = program.Fetch(values);
  program.Run(model.train, feeds);
  const std::vector<Tensor> after = program.Fetch(values);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_FALSE(SameNumbers(before[i], after[i])) << values[i].name();
}

// What the numbers of parameters leave open of a model at full size: how often its loss is computed with which
// function, and of what shape this is. What a loop repeats counts once.
struct FunctionsOfModel {
  const char* model;
  std::vector<std::string> functions;
};
const FunctionsOfModel kFunctions[] = {
    // Of an LSTM: three gates, its candidate, its memory.
    {"lstm-512-512", {"3 Sigmoid[128,512]", "2 Tanh[128,512]"}},
    {"lstm-512-512-sampled", {"LogUniformCandidateSampler[512]", "3 Sigmoid[128,512]", "2 Tanh[128,512]"}},
    // Two of them, and attention to 20 words, whose layer is linear.
    {"seq2seq", {"6 Sigmoid[64,512]", "Softmax[64,20]", "4 Tanh[64,512]"}},
    // Two of them, and each place's look at each point.
    {"pointer-network", {"6 Sigmoid[128,256]", "Tanh[128,10,10,256]", "4 Tanh[128,256]"}},
    // The LSTM begins with a squashed state.
    {"captioning",
     {"MaxPool[32,16,16,64]", "MaxPool[32,32,32,32]", "MaxPool[32,8,8,128]", "Relu[32,16,16,128]", "Relu[32,32,32,64]",
      "Relu[32,64,64,32]", "3 Sigmoid[32,512]", "3 Tanh[32,512]"}},
    // Eight heads in each of six layers; two norms of each layer, and the last one.
    {"transformer", {"6 Relu[2048,2048]", "13 Rsqrt[2048,1]", "6 Softmax[32,8,64,64]"}},
    // A layer that writes looks twice, and has three norms; both stacks end with one.
    {"transformer-translation", {"12 Relu[1024,2048]", "32 Rsqrt[1024,1]", "18 Softmax[32,8,32,32]"}},
    // The code is linear, and what comes out goes to the loss as logits.
    {"autoencoder", {"2 Sigmoid[100,1000]", "2 Sigmoid[100,250]", "2 Sigmoid[100,500]"}},
    {"word2vec", {"LogUniformCandidateSampler[64]"}},
    {"wide-and-deep", {"Relu[128,1024]", "Relu[128,256]", "Relu[128,512]"}},
    // Sixteen hidden layers, of which four count.
    {"mixture-of-experts", {"Relu[128,128]", "16 Relu[128,256]", "Softmax[128,4]", "TopKV2[128,4]"}},
    // The discriminator sees as many made images as real ones.
    {"gan", {"Relu[128,128]", "Relu[256,128]", "Sigmoid[128,784]"}},
    {"deep-q", {"2 Relu[32,64]"}},
    {"k-means", {}},
};

std::vector<std::string> FunctionsOf(const Learner& model) {
  static const std::set<std::string_view> kOps = {
      "Relu", "Sigmoid", "Tanh", "Softmax", "LogUniformCandidateSampler", "MaxPool", "AvgPool", "TopKV2", "Rsqrt"};
  const GraphBuilder& builder = *model.loss.builder;
  std::map<std::string, int> counts;
  for (const NodeId id : NodesBefore(model.loss)) {
    const std::string op(builder.graph().node(id).op->name);
    if (kOps.contains(op)) ++counts[op + builder.shape({id, 0}).ToString()];
  }
  std::vector<std::string> functions;
  for (const auto& [function, count] : counts) {
    functions.push_back(count == 1 ? function : Str(count, " ", function));
  }
  return functions;
}

TEST(LearnerCatalogue, ComputesWithTheFunctionsOfEachModel) {
  EXPECT_EQ(Learners().size(), std::size(kFunctions));
  for (const FunctionsOfModel& expected : kFunctions) {
    Scope scope;
    const auto optimizer = Sgd({.learning_rate = 0.01});
    const Learner model = Find(expected.model).build(scope, *optimizer, LearnerSize::kFull);
    EXPECT_EQ(FunctionsOf(model), expected.functions) << expected.model;
  }
}

INSTANTIATE_TEST_SUITE_P(, LearnerTest, ::testing::ValuesIn(kTrials), [](const auto& info) {
  std::string name = info.param.model;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace plumb::models
