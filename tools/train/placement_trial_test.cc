// --placement: what is refused, and where variables and nodes lie by cost.
#include "tools/train/placement_trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "client/initializers.h"
#include "client/losses.h"
#include "client/ops.h"
#include "spec/core/status_testing.h"
#include "spec/files/temporary_folder.h"
#include "tools/train/training_graph.h"

namespace plumb::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kSide = 64;

// Four layers whose weights are alike, each with a bias, which is a single number.
TrainedModel BuildLayers(Scope& scope, Optimizer& optimizer, const Training& training, int) {
  const Output input = ops::Placeholder(scope, DType::kFloat, {.shape = PartialShape({training.batch, kSide})});
  Output layer = input;
  for (int i = 0; i < 4; ++i) {
    const Output first = Constant(scope, Zeros(DType::kFloat, Shape({kSide, kSide})));
    const Variable weights = MakeVariable(scope, first, {.name = Str("layer", i)});
    const Variable bias = MakeVariable(scope, Constant(scope, 0.1F), {.name = Str("bias", i)});
    layer = ops::Tanh(scope, ops::MatMul(scope, layer, weights.value()) + bias.value());
  }
  TrainedModel model;
  model.loss = ops::Mean(scope, ops::Square(scope, layer), Constant(scope, {0, 1}));
  model.train = optimizer.Minimize(scope, model.loss);
  model.init = InitializeAll(scope, "init");
  const int64_t batch = training.batch;
  model.next = [input, batch] { return std::vector<FeedValue>{{input, Zeros(DType::kFloat, Shape({batch, kSide}))}}; };
  return model;
}

// Of the first of so many workers.
class Placement : public ::testing::Test {
 protected:
  ~Placement() override {
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("OMPI_COMM_WORLD_RANK");
  }
  static Training Settings(const std::string& strategy, const std::string& placement, int rank = 0) {
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    setenv("OMPI_COMM_WORLD_RANK", std::to_string(rank).c_str(), 1);
    Training training;
    training.cluster = "worker=2";
    training.strategy = strategy;
    training.placement = placement;
    training.batch = 8;
    training.threads = 1;
    training.model = "layers";
    return training;
  }
  static std::string Refusal(const Training& training) {
    const Status status = StatusOf([&] { ReplicaOf(training); });
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << training.placement;
    return status.message();
  }
};

TEST_F(Placement, IsRefusedWhereItMeansNothing) {
  EXPECT_THAT(Refusal(Settings("model-parallel", "best")), HasSubstr("bytes, turn, cost and cost=FILE"));
  EXPECT_THAT(Refusal(Settings("model-parallel", "bytes=2")), HasSubstr("there is no --placement bytes=2"));
  EXPECT_THAT(Refusal(Settings("model-parallel", "turn")), HasSubstr("on parameter servers"));
  EXPECT_THAT(Refusal(Settings("allreduce", "cost")), HasSubstr("model-parallel or pipeline=K"));
  Training training = Settings("model-parallel", "bytes");
  training.devices = "/job:worker/task:0";
  EXPECT_THAT(Refusal(training), HasSubstr("--placement is bytes"));
  training.placement = "cost";
  training.devices = "/job:worker/task:0,/job:worker/task:7";
  EXPECT_THAT(Refusal(training), HasSubstr("--devices names /job:worker/task:7"));
  training.devices = "";
  training.mbit = 0;
  EXPECT_THAT(Refusal(training), HasSubstr("--mbit"));
  training.cluster = "";
  EXPECT_THAT(Refusal(training), HasSubstr("model-parallel")) << "one process";
}

TEST_F(Placement, VariablesGoToServersInTurnOrByBytes) {
  Training training = Settings("async-ps", "turn");
  setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
  training.cluster = "ps=2,worker=1";
  const auto devices = [&](const std::string& placement) {
    training.placement = placement;
    TrainingGraph graph(BuildLayers, training, ReplicaOf(training));
    std::vector<std::string> all;
    for (const Variable& variable : graph.scope.variables()) {
      all.push_back(graph.scope.builder().graph().node(variable.ref().node()).device);
    }
    return all;
  };
  const std::string a = "/job:ps/task:0", b = "/job:ps/task:1";
  EXPECT_EQ(devices("turn"), (std::vector{a, b, a, b, a, b, a, b, a}));
  EXPECT_EQ(devices("bytes"), (std::vector{a, b, a, a, b, b, a, a, b})) << "the step's number comes first";
}

// As many bytes as all of it holds, when nothing limits it.
int64_t BytesOf(const CostPlacement& placement) {
  int64_t bytes = 0;
  for (const int64_t held : placement.held) bytes += held;
  return bytes;
}

TEST_F(Placement, ByCostHasRoomOnEachWorker) {
  for (const auto& [strategy, shards] :
       {std::pair("model-parallel", 0), std::pair("model-parallel", 4), std::pair("pipeline=2", 0)}) {
    Training training = Settings(strategy, "cost");
    training.shards = shards;
    const auto whole = TrainingGraph(BuildLayers, training, ReplicaOf(training)).by_cost;
    ASSERT_TRUE(whole);
    const int64_t limit = BytesOf(*whole) * 3 / 5;
    training.devices = Str("/job:worker/task:0=", limit, "B,/job:worker/task:1=", limit, "B");
    const Replica replica = ReplicaOf(training);
    TrainingGraph graph(BuildLayers, training, replica);
    ASSERT_TRUE(graph.by_cost);
    for (const int64_t held : graph.by_cost->held) EXPECT_LE(held, limit) << strategy;
    std::set<std::string> used;
    for (const Variable& variable : graph.scope.variables()) {
      const Node& node = graph.scope.builder().graph().node(variable.ref().node());
      EXPECT_THAT(node.device, StartsWith("/job:worker/task:"));
      used.insert(node.device);
    }
    EXPECT_EQ(used.size(), 2U) << "so large that one of them alone has no room";
    for (const Node& node : graph.scope.builder().graph().nodes()) {
      EXPECT_TRUE(!node.device.empty() || graph.by_cost->devices.contains(node.name)) << node.name;
    }
    EXPECT_GT(graph.by_cost->measured, 0);
    EXPECT_THAT(TextOf(*graph.by_cost, *replica.by_cost), HasSubstr("A step is expected to take "));
  }
  Training training = Settings("model-parallel", "cost");
  training.devices = "/job:worker/task:0=1kB,/job:worker/task:1=1kB";
  EXPECT_EQ(StatusOf([&] { TrainingGraph(BuildLayers, training, ReplicaOf(training)); }).code(),
            Code::kResourceExhausted);
}

// What serves the one client neither measures nor places.
TEST_F(Placement, ByCostIsTheClients) {
  const Training training = Settings("model-parallel", "cost", /*rank=*/1);
  TrainingGraph graph(BuildLayers, training, ReplicaOf(training));
  EXPECT_FALSE(graph.by_cost);
  Training first = Settings("model-parallel", "cost");
  TrainingGraph of_first(BuildLayers, first, ReplicaOf(first));
  EXPECT_EQ(StatementOf(BuildLayers, training, graph.scope).Fingerprint(),
            StatementOf(BuildLayers, first, of_first.scope).Fingerprint());
}

TEST_F(Placement, CostsMayBeThoseOfATrace) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/trace.json";
  const auto write = [&](const std::string& node) {
    std::ofstream(path) << R"({"traceEvents": [
      {"ph": "X", "name": "step", "cat": "computes", "ts": 0, "dur": 9e6, "args": {"node": "step 1"}},
      {"ph": "X", "name": "MatMul", "cat": "computes", "ts": 1, "dur": 7e6, "args": {"node": ")"
                        << node << "\"}}]}";
  };
  Training training = Settings("model-parallel", "cost=" + path);
  write("MatMul");
  const auto placement = TrainingGraph(BuildLayers, training, ReplicaOf(training)).by_cost;
  ASSERT_TRUE(placement);
  EXPECT_DOUBLE_EQ(placement->node_seconds.at("MatMul"), 7);
  EXPECT_EQ(placement->node_seconds.at("Tanh"), 0) << "once steps were measured, what no step runs costs nothing";
  write("of another model");
  EXPECT_THAT(StatusOf([&] { TrainingGraph(BuildLayers, training, ReplicaOf(training)); }).message(),
              HasSubstr("no node of layers is in " + path));
}

}  // namespace
}  // namespace plumb::tools
