// Tables stay on their servers: rows are picked and logits computed beside each part (rule W11), and so are the
// gradients of logits (D10), so that what travels in a step does not depend on how many rows a table has.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "client/embedding/partitioned_variable.h"
#include "client/embedding/sampled_losses.h"
#include "client/embedding/sharded_softmax.h"
#include "client/gradients.h"
#include "client/ops.h"
#include "client/optimizers/optimizer.h"
#include "client/training/replica_devices.h"
#include "mpi/session/cluster_testing.h"

namespace plumb {
namespace {

constexpr int64_t kFew = 64, kMany = 4096;  // rows
// One row is more than a message holds itself, which counts as no payload.
constexpr int64_t kBatch = 6, kSize = 32;
const char* const kServers[] = {"/job:ps/task:0", "/job:ps/task:1"};
constexpr char kWorker[] = "/job:worker/task:0";

// What one step of a worker with two servers was.
struct Taken {
  int64_t payload_bytes = 0;
  struct Ran {
    std::string node, op, device;
  };
  std::vector<Ran> nodes;

  // How many nodes of an op ran, of those that are named so; -1 where one ran elsewhere than on servers.
  int64_t OnServers(const std::string& op, const std::string& prefix = "") const {
    int64_t count = 0;
    for (const Ran& ran : nodes) {
      if (ran.op != op || !ran.node.starts_with(prefix)) continue;
      if (!ran.device.starts_with("/job:ps/")) return -1;
      ++count;
    }
    return count;
  }
};

// A model with tables of so many rows; returns what a step is to run.
using Build = std::function<NodeId(Scope& scope, int64_t rows)>;

Taken TakeStep(const Build& build, int64_t rows) {
  Scope scope;
  scope.set_variable_device(InTurn({kServers[0], kServers[1]}));
  const NodeId train = build(scope, rows);
  std::vector<std::string> init = {scope.NameOf(InitializeAll(scope))}, step = {scope.NameOf(train)};
  if (scope.builder().graph().Find("first_value")) init.emplace_back("first_value");
  dist::TestCluster cluster(3, "ps=2,worker=1");
  const auto session = cluster.Open(2);
  const auto run = [&](const std::vector<std::string>& targets, RunMetadata* metadata) {
    std::vector<Tensor> none;
    const RunOptions options{.timeout_ms = 60'000, .trace = metadata != nullptr};
    EXPECT_EQ(session->Run(options, {}, {}, targets, &none, metadata).ToString(), "OK");
  };
  EXPECT_EQ(session->Extend(scope.ToGraphDef()).ToString(), "OK");
  run(init, nullptr);
  run(step, nullptr);
  const int64_t before = cluster.payload_bytes();
  run(step, nullptr);
  Taken taken{cluster.payload_bytes() - before, {}};
  RunMetadata metadata;
  run(step, &metadata);
  for (const DeviceStats& device : metadata.step_stats) {
    for (const NodeStats& node : device.nodes) taken.nodes.push_back({node.node, node.op, device.device});
  }
  return taken;
}

// Steps over tables of few and of many rows; that of the many.
Taken ExpectRowsToStay(const Build& build) {
  const Taken few = TakeStep(build, kFew), many = TakeStep(build, kMany);
  EXPECT_EQ(few.payload_bytes, many.payload_bytes) << "payload bytes of a step over many rows";
  const auto sends = [](const Taken::Ran& ran) { return ran.op == "_Send"; };
  EXPECT_TRUE(std::any_of(many.nodes.begin(), many.nodes.end(), sends)) << "a step over servers sends something";
  return many;
}

PartitionedVariable Parts(Scope& scope, const std::string& name, const Shape& shape) {
  return MakePartitionedVariable(scope, {.name = name, .shape = shape}, 2);
}
Output Ids(Scope& scope) { return Constant<int32_t>(scope, {3, 0, 63, 3, 40, 17}); }
Output Inputs(Scope& scope) {
  std::vector<float> numbers(kBatch * kSize);
  std::iota(numbers.begin(), numbers.end(), -20.0F);
  for (float& number : numbers) number /= 64;
  return Constant(scope, MakeTensor<float>({kBatch, kSize}, numbers));
}
Output Total(Scope& scope, Output values) {
  std::vector<int32_t> axes(static_cast<size_t>(values.shape().rank()));
  std::iota(axes.begin(), axes.end(), 0);
  return ops::Sum(scope, values, Constant(scope, MakeTensor<int32_t>({values.shape().rank()}, axes)));
}
NodeId Trained(Scope& scope, Output loss) { return Sgd({.learning_rate = 0.1})->Minimize(scope, loss); }

TEST(TablesLaw, RowsOfAVariableArePickedWhereItLies) {
  const Taken taken = ExpectRowsToStay([](Scope& scope, int64_t rows) {
    const Variable table =
        MakeVariable(scope, Constant(scope, Zeros(DType::kFloat, Shape({rows, kSize}))), {.name = "table"});
    const auto here = scope.On(kWorker);
    return Trained(scope, Total(scope, EmbeddingLookup(scope, {table}, Ids(scope))));
  });
  EXPECT_EQ(taken.OnServers("GatherV2"), 1);
  EXPECT_LT(taken.payload_bytes, kFew * kSize * static_cast<int64_t>(sizeof(float))) << "less than the small table";
}

TEST(TablesLaw, RowsOfPartsArePickedWhereEachLies) {
  for (const auto strategy : {PartitionStrategy::kMod, PartitionStrategy::kDiv}) {
    const Taken taken = ExpectRowsToStay([&](Scope& scope, int64_t rows) {
      const PartitionedVariable table = Parts(scope, "table", {rows, kSize});
      const auto here = scope.On(kWorker);
      return Trained(scope, Total(scope, EmbeddingLookup(scope, table.values(), Ids(scope), {.strategy = strategy})));
    });
    EXPECT_EQ(taken.OnServers("GatherV2", "embedding_lookup"), 2);
  }
}

TEST(TablesLaw, RowsOfResourceVariablesArePickedWhereTheyLie) {
  const auto build = [](bool by_handle) {
    return [by_handle](Scope& scope, int64_t rows) {
      const GraphBuilder::DeviceScope there(scope.builder(), kServers[1]);
      const Output handle = scope.Call(
          "VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({rows, kSize})}, {"shared_name", "t"}});
      scope.Add("AssignVariableOp", {handle, Constant(scope, Zeros(DType::kFloat, Shape({rows, kSize})))}, {},
                "first_value");
      const Output read = scope.Call("ReadVariableOp", {handle}, {{"dtype", DType::kFloat}});
      const GraphBuilder::DeviceScope here(scope.builder(), kWorker);
      const Output found = EmbeddingLookup(scope, {by_handle ? handle : read}, Ids(scope));
      const GradientValue slices = Gradients(scope.builder(), {Total(scope, found)}, {handle})[0];
      EXPECT_EQ(slices.kind, GradientValue::Kind::kSparse);
      return scope.Add("ResourceScatterAdd",
                       {handle, {&scope.builder(), slices.indices}, {&scope.builder(), slices.values}},
                       {{"dtype", DType::kFloat}});
    };
  };
  EXPECT_EQ(ExpectRowsToStay(build(/*by_handle=*/true)).OnServers("ResourceGather"), 1);
  EXPECT_EQ(ExpectRowsToStay(build(/*by_handle=*/false)).OnServers("GatherV2"), 1);
}

// Of one table and of two parts.
TEST(TablesLaw, LogitsOfASampleAreComputedBesideTheWeights) {
  for (const int64_t parts : {1, 2}) {
    const Taken taken = ExpectRowsToStay([parts](Scope& scope, int64_t rows) {
      const auto make = [&](const std::string& name, const Shape& shape) {
        return MakePartitionedVariable(scope, {.name = name, .shape = shape, .initializer = Filled(0.25)}, parts);
      };
      const PartitionedVariable weights = make("weights", {rows, kSize}), biases = make("biases", {rows});
      const Output labels = ops::Reshape(scope, AsType(Ids(scope), DType::kInt64), Constant<int32_t>(scope, {-1, 1}));
      SampledLossOptions options;
      options.sample = SampledClasses{Constant<int64_t>(scope, {5, 40, 62, 1}),
                                      Constant(scope, MakeTensor<float>({kBatch, 1}, std::vector<float>(kBatch, 0.5F))),
                                      Constant<float>(scope, {0.5F, 0.5F, 0.5F, 0.5F})};
      return Trained(scope, Total(scope, SampledSoftmaxLoss(scope, weights.values(), biases.values(), labels,
                                                            Inputs(scope), 4, rows, options)));
    });
    // Forwards, and both gradients.
    EXPECT_EQ(taken.OnServers("MatMul"), parts * 2) << parts << " parts";
  }
}

TEST(TablesLaw, ASoftmaxOverAllClassesIsComputedBesideTheWeights) {
  const Taken taken = ExpectRowsToStay([](Scope& scope, int64_t rows) {
    const PartitionedVariable weights = Parts(scope, "weights", {rows, kSize});
    const PartitionedVariable biases =
        MakePartitionedVariable(scope, {.name = "biases", .shape = {rows}, .initializer = Filled(0)}, 2);
    // Below the weights there is something to learn too.
    const Variable scale = MakeVariable(scope, Constant(scope, 1.0F), {.name = "scale", .device = kWorker});
    return Trained(scope, Total(scope, ShardedSoftmax(scope, weights.values(), biases.values(), Ids(scope),
                                                      Inputs(scope) * scale)));
  });
  EXPECT_EQ(taken.OnServers("MatMul"), 2 * 3) << "of each part the logits, and the gradients of both factors";
}

}  // namespace
}  // namespace plumb
