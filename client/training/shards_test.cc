// Batches in shards: the same bits for one, two and four replicas, with random numbers of each shard's own.
#include "client/training/shards.h"

#include <thread>

#include "client/ops.h"
#include "client/program.h"
#include "client/testing.h"
#include "client/training/all_reduce.h"
#include "client/training/global_step.h"
#include "client/training/sync_replicas.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

constexpr int kShards = 4;

// The numbers of shard `shard` in step `step`, [3, 2]. Their sums are rounded, so that another order gives other bits.
Tensor Batch(int step, int shard) {
  std::vector<float> values;
  for (int i = 0; i < 6; ++i) values.push_back(1.0F / static_cast<float>(1 + i + 7 * shard + 31 * step));
  return MakeTensor<float>({3, 2}, values);
}

// The mean of (x w ∘ mask)², where the mask is drawn anew in each step.
struct Model {
  explicit Model(Scope& scope, const std::optional<Variable>& shared = {}) : weights(shared) {
    x = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({3, 2})}}, "x");
    const Output first = Constant(scope, MakeTensor<float>({2, 1}, {0.3F, 0.7F}));
    if (!weights) weights.emplace(MakeVariable(scope, first, {.name = "w"}));
    const Output drawn = scope.Call("RandomUniform", {Constant(scope, {3, 1})},
                                    {{"dtype", DType::kFloat}, {"seed", int64_t{5}}, {"seed2", int64_t{2}}});
    const Output y = ops::Mul(scope, ops::MatMul(scope, x, *weights), drawn);
    loss = ops::Mean(scope, ops::Square(scope, y), Constant(scope, {0, 1}));
  }
  Output x, loss;
  std::optional<Variable> weights;
};

// One of the replicas that share the shards of each batch, on a CPU of its own.
class Reduced {
 public:
  Reduced(int replicas, int number, Optimizer& sgd)
      : range_(ShardsOf(kShards, replicas, number)), together_(sgd, {.replicas = replicas, .shards = range_}) {
    const auto named = scope_.Sub(Str("replica_", number));
    const auto on = scope_.On(Str("/device:CPU:", number));
    model_.emplace(scope_);
    train_ = together_.Minimize(scope_, model_->loss);
    init_ = InitializeAll(scope_);
  }

  GraphDef graph() const { return scope_.ToGraphDef(); }
  std::string init() const { return scope_.NameOf(init_); }
  std::string train() const { return scope_.NameOf(train_); }
  std::string weights() const { return model_->weights->value().name(); }
  void AddFeeds(int step, std::vector<Feed>* feeds) const {
    for (int i = 0; i < range_.own; ++i) {
      feeds->emplace_back(together_.shards()->Place(i, model_->x).name(), Batch(step, range_.first + i));
    }
  }

 private:
  Scope scope_;
  const ShardRange range_;
  AllReduce together_;
  std::optional<Model> model_;
  NodeId train_ = NodeId::kNone, init_ = NodeId::kNone;
};

// The weights that `replicas` come to in three steps.
std::vector<Tensor> TrainedByReducing(std::string_view backend, int replicas) {
  const auto sgd = Sgd({.learning_rate = 0.3});
  const auto session = OpenSession(backend, {.cpu_devices = replicas});
  std::vector<std::unique_ptr<Reduced>> all;
  std::vector<std::string> init, train, weights;
  for (int number = 0; number < replicas; ++number) {
    all.push_back(std::make_unique<Reduced>(replicas, number, *sgd));
    EXPECT_TRUE(session->Extend(all.back()->graph()).ok());
    init.push_back(all.back()->init());
    train.push_back(all.back()->train());
    weights.push_back(all.back()->weights());
  }
  std::vector<Tensor> outputs;
  EXPECT_EQ(session->Run({}, {}, init, &outputs).ToString(), "OK");
  for (int step = 0; step < 3; ++step) {
    std::vector<Feed> feeds;
    for (const auto& replica : all) replica->AddFeeds(step, &feeds);
    EXPECT_EQ(session->Run(feeds, {}, train, &outputs).ToString(), "OK");
  }
  EXPECT_EQ(session->Run({}, weights, {}, &outputs).ToString(), "OK");
  return outputs;
}

// The same with an accumulator for each shard, where replicas share the variable.
Tensor TrainedBySynchronousReplicas(std::string_view backend, int replicas) {
  Scope scope;
  const auto sgd = Sgd({.learning_rate = 0.3});
  const Variable steps = MakeGlobalStep(scope);
  std::vector<std::unique_ptr<SyncReplicas>> all;
  std::vector<Model> models;
  std::vector<NodeId> trains;
  for (int number = 0; number < replicas; ++number) {
    models.push_back(models.empty() ? Model(scope) : Model(scope, models[0].weights));
    SyncReplicasOptions options{replicas, replicas, "sync", "", ShardsOf(kShards, replicas, number)};
    all.push_back(std::make_unique<SyncReplicas>(*sgd, steps, options));
    trains.push_back(all.back()->Minimize(scope, models.back().loss));
  }
  const NodeId init = InitializeAll(scope);
  Program program(scope, OpenSession(backend));
  program.Run(init);
  for (const auto& replica : all) program.Run(replica->begin());
  program.Run(all[0]->initialize());
  for (int step = 0; step < 3; ++step) {
    std::vector<std::thread> threads;
    for (int number = replicas; number-- > 0;) {
      threads.emplace_back([&, number] {
        const ShardRange range = ShardsOf(kShards, replicas, number);
        std::vector<FeedValue> feeds;
        for (int i = 0; i < range.own; ++i) {
          feeds.emplace_back(all[number]->shards()->Place(i, models[number].x), Batch(step, range.first + i));
        }
        program.Run(trains[number], feeds);
      });
    }
    program.Run(all[0]->update());
    program.Run(all[0]->release());
    for (std::thread& thread : threads) thread.join();
  }
  return program.Fetch(*models[0].weights);
}

class Sharded : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Sharded, BatchesGiveTheSameBitsForAnyReplicas) {
  const Tensor alone = TrainedByReducing(GetParam(), 1)[0];
  EXPECT_FALSE(alone.BitwiseEquals(MakeTensor<float>({2, 1}, {0.3F, 0.7F}))) << "nothing was trained";
  for (const int replicas : {2, 4}) {
    for (const Tensor& weights : TrainedByReducing(GetParam(), replicas)) {
      EXPECT_TRUE(weights.BitwiseEquals(alone)) << replicas << ": " << weights.ToString() << alone.ToString();
    }
  }
  for (const int replicas : {1, 2, 4}) {
    const Tensor weights = TrainedBySynchronousReplicas(GetParam(), replicas);
    EXPECT_TRUE(weights.BitwiseEquals(alone)) << replicas << ": " << weights.ToString() << alone.ToString();
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Sharded, ::testing::Values("reference", "cpu"));

class Shards : public OnEachBackend {};
PLUMB_ON_EACH_BACKEND(Shards);

TEST_P(Shards, DrawNumbersOfTheirOwn) {
  const Variable weight = MakeVariable(scope_, Constant(scope_, {0.0F, 0.0F}));
  const Output drawn = scope_.Call("RandomUniform", {Constant(scope_, {2})},
                                   {{"dtype", DType::kFloat}, {"seed", int64_t{5}}, {"seed2", int64_t{2}}});
  const std::vector<VariableGradient> gradients = {{weight, GradientValue(drawn)}};
  const ShardGradients first(scope_, gradients, ShardsOf(4, 2, 0));
  const auto value = [&](const ShardGradients& shards, int i) {
    return Value(Output(&scope_.builder(), shards.of(i)[0].second.values));
  };
  const auto zero = value(first, 0), one = value(first, 1);
  EXPECT_NE(zero, one);
  const ShardGradients second(scope_, gradients, {4, 1, 1});
  EXPECT_EQ(value(second, 0), one) << "whichever replica has the shard";
}

TEST_P(Shards, LieOnTheDevicesThatAreNamed) {
  const Variable weight = MakeVariable(scope_, Constant(scope_, 2.0F), {.device = "/device:CPU:0"});
  const Output x = Input(PartialShape(Shape()), "x");
  const std::vector<VariableGradient> gradients = {{weight, GradientValue(ops::Mul(scope_, x, weight))}};
  ShardRange range = ShardsOf(4, 1, 0);
  range.devices = {"/job:worker/task:0", "/job:worker/task:1"};
  const ShardGradients shards(scope_, gradients, range);
  std::vector<std::string> devices;
  for (int i = 0; i < 4; ++i) {
    const Node& product = scope_.builder().graph().node(shards.of(i)[0].second.values.node);
    devices.push_back(product.device);
    EXPECT_EQ(product.inputs[1], weight.value().endpoint) << "what is read is read once";
  }
  EXPECT_THAT(devices, ElementsAre("", range.devices[0], range.devices[1], range.devices[1]));
}

TEST_P(Shards, AreAddedInOrder) {
  // From left to right the ones are lost beside the great number.
  EXPECT_THAT(Value(MeanInOrder(scope_, {Float(1e8F), Float(1), Float(1), Float(-1e8F)})), ElementsAre(0));
  EXPECT_THAT(Value(MeanInOrder(scope_, {Float(1), Float(1), Float(1e8F), Float(-1e8F)})), ElementsAre(0));
  EXPECT_THAT(Value(MeanInOrder(scope_, {Float(1e8F), Float(-1e8F), Float(1), Float(1)})), ElementsAre(0.5));
}

TEST(ShardRanges, AreTheSameSizeForAllReplicas) {
  const ShardRange last = ShardsOf(6, 3, 2);
  EXPECT_EQ(last.first, 4);
  EXPECT_EQ(last.own, 2);
  EXPECT_TRUE(Refuses([] { ShardsOf(4, 3, 0); }, Code::kInvalidArgument, "4 shards cannot be shared by 3"));
}

TEST(ShardRanges, AreOfGraphsWithoutAStateBesideVariables) {
  Scope scope;
  const Variable weight = MakeVariable(scope, Constant(scope, 1.0F));
  const AttrMap of_one = {{"component_types", std::vector<DType>{DType::kFloat}}};
  const Output queue = scope.Call("FIFOQueueV2", {}, of_one);
  const Output taken = scope.Call("QueueDequeueV2", {queue}, of_one, "taken");
  const std::vector<VariableGradient> gradients = {{weight, GradientValue(taken)}};
  EXPECT_TRUE(Refuses([&] { ShardGradients(scope, gradients, ShardsOf(2, 1, 0)); }, Code::kInvalidArgument,
                      "feed the batch instead"));
  const std::vector<VariableGradient> none = {{weight, GradientValue::None()}};
  EXPECT_TRUE(ShardGradients(scope, none, ShardsOf(2, 1, 0)).of(1).empty());
}

}  // namespace
}  // namespace plumb
