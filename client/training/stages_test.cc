// Layers on several devices: what is cut where, what travels, and that the numbers stay the same.
#include "client/training/stages.h"

#include "client/initializers.h"
#include "client/ops.h"
#include "client/testing.h"
#include "client/training/all_reduce.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const std::vector<std::string> kDevices = {"/device:CPU:0", "/device:CPU:1"};

TEST(CutIntoStages, MakesTheLargestSmall) {
  EXPECT_THAT(CutIntoStages({1, 1, 1, 1}, 2), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(CutIntoStages({1, 1, 1, 9}, 2), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(CutIntoStages({9, 1, 1, 1}, 3), ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(CutIntoStages({2, 3, 4, 5, 6}, 3), ElementsAre(0, 0, 0, 1, 2));
  EXPECT_THAT(CutIntoStages({1, 5, 1, 5}, 2), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(CutIntoStages({0, 0, 0}, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(CutIntoStages({5}, 1), ElementsAre(0));
  EXPECT_THROW(CutIntoStages({1, 2}, 3), Error);
}

// Two layers, of equal sizes.
struct Model {
  Scope scope;
  Output x, hidden, loss;
  NodeId train = NodeId::kNone, init = NodeId::kNone;
  std::vector<Variable> layers;

  void Build(Optimizer& optimizer) {
    x = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2, 3})}}, "x");
    const auto layer = [&](const char* name, Output input) {
      const Tensor first = MakeTensor<float>({3, 3}, {.1F, .2F, -.3F, .4F, .5F, .6F, -.7F, .8F, .9F});
      layers.push_back(MakeVariable(scope, Constant(scope, first), {.name = name}));
      return ops::Tanh(scope, ops::MatMul(scope, input, layers.back()));
    };
    hidden = layer("first", x);
    loss = ops::Mean(scope, ops::Square(scope, layer("second", hidden)), Constant(scope, {0, 1}));
    train = optimizer.Minimize(scope, loss);
    init = InitializeAll(scope);
  }
};

const Tensor kRows = MakeTensor<float>({2, 3}, {1, 2, 3, -4, 5, -6});

// The values of both layers after some steps.
std::vector<Tensor> Trained(std::string_view backend, Model& model) {
  const auto session = OpenSession(backend, {.cpu_devices = 2});
  EXPECT_EQ(session->Extend(model.scope.ToGraphDef()).ToString(), "OK");
  std::vector<Tensor> outputs;
  const std::vector<std::string> init = {model.scope.NameOf(model.init)}, train = {model.scope.NameOf(model.train)};
  EXPECT_EQ(session->Run({}, {}, init, &outputs).ToString(), "OK");
  const std::vector<Feed> feeds = {{model.x.name(), kRows}};
  for (int step = 0; step < 5; ++step) EXPECT_EQ(session->Run(feeds, {}, train, &outputs).ToString(), "OK");
  const std::vector<std::string> fetches = {model.layers[0].value().name(), model.layers[1].value().name()};
  EXPECT_EQ(session->Run({}, fetches, {}, &outputs).ToString(), "OK");
  return outputs;
}

class Staged : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Staged, TrainAsOnOneDevice) {
  const auto optimizer = Momentum({.learning_rate = 0.25, .momentum = 0.5});
  Model whole, parts;
  whole.Build(*optimizer);
  Stages stages(*optimizer, kDevices, BytesOfVariables(whole.scope));
  parts.scope.set_variable_device(stages.OfVariables());
  parts.Build(stages);
  const std::vector<Tensor> one = Trained(GetParam(), whole), two = Trained(GetParam(), parts);
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(one[i].BitwiseEquals(two[i])) << two[i].ToString();
}

TEST_P(Staged, TrainShardsAsOnOneDevice) {
  const auto optimizer = Sgd({.learning_rate = 0.25});
  Model whole, parts;
  AllReduce alone(*optimizer, {.shards = ShardsOf(2, 1, 0)}), shards(*optimizer, {.shards = ShardsOf(2, 1, 0)});
  whole.Build(alone);
  Stages stages(shards, kDevices, {1, 1});
  parts.scope.set_variable_device(stages.OfVariables());
  parts.Build(stages);
  // Both shards are fed the same rows here.
  const auto fed = [](Model& model, const AllReduce& all) {
    const Output second = all.shards()->Place(1, model.x);
    const Graph& graph = model.scope.builder().graph();
    EXPECT_NE(second.endpoint.node, model.x.endpoint.node);
    return std::vector<Feed>{{model.x.name(), kRows}, {graph.NameOf(second.endpoint), kRows}};
  };
  std::vector<Tensor> weights[2];
  for (int i = 0; i < 2; ++i) {
    Model& model = i == 0 ? whole : parts;
    const auto session = OpenSession(GetParam(), {.cpu_devices = 2});
    ASSERT_EQ(session->Extend(model.scope.ToGraphDef()).ToString(), "OK");
    const std::vector<std::string> init = {model.scope.NameOf(model.init)}, train = {model.scope.NameOf(model.train)};
    std::vector<Tensor> outputs;
    ASSERT_EQ(session->Run({}, {}, init, &outputs).ToString(), "OK");
    ASSERT_EQ(session->Run(fed(model, i == 0 ? alone : shards), {}, train, &outputs).ToString(), "OK");
    const std::vector<std::string> fetches = {model.layers[0].value().name(), model.layers[1].value().name()};
    ASSERT_EQ(session->Run({}, fetches, {}, &weights[i]).ToString(), "OK");
  }
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(weights[0][i].BitwiseEquals(weights[1][i]));
}

INSTANTIATE_TEST_SUITE_P(Backends, Staged, ::testing::Values("cpu", "reference"));

// Forwards what the first layer gives, backwards the gradient of that: nothing else goes from stage to stage, and no
// weights and no gradients of weights.
TEST(Stages, LetOnlyActivationsTravel) {
  const auto optimizer = Sgd({.learning_rate = 0.25});
  Model model;
  Stages stages(*optimizer, kDevices, {1, 1});
  model.scope.set_variable_device(stages.OfVariables());
  model.Build(stages);
  const Graph& graph = model.scope.builder().graph();
  std::vector<std::string> forwards, backwards;
  for (const Node& node : graph.nodes()) {
    for (const Endpoint input : node.inputs) {
      const int from = stages.StageOf(input.node), to = stages.StageOf(node.id);
      if (from < 0 || to < 0 || from == to) continue;
      std::vector<std::string>& all = from < to ? forwards : backwards;
      if (std::find(all.begin(), all.end(), graph.NameOf(input)) == all.end()) all.push_back(graph.NameOf(input));
    }
  }
  EXPECT_THAT(forwards, ElementsAre(model.hidden.name()));
  EXPECT_THAT(backwards, SizeIs(1));
  EXPECT_EQ(stages.StageOf(model.layers[0].ref().node()), 0);
  EXPECT_EQ(stages.StageOf(model.layers[1].ref().node()), 1);
  EXPECT_EQ(stages.StageOf(model.x.endpoint.node), 0);
  EXPECT_EQ(stages.StageOf(model.loss.endpoint.node), 1);
}

}  // namespace
}  // namespace plumb
