#include "tools/train/training_graph.h"

#include "client/ops.h"
#include "client/training/global_step.h"
#include "client/training/replica_devices.h"
#include "tools/train/placement_trial.h"

namespace plumb::tools {

TrainingGraph::TrainingGraph(const BuildModel& build, const Training& training, const Replica& replica)
    : optimizer(Sgd({.learning_rate = training.learning_rate})) {
  const Strategy& strategy = replica.strategy;
  if (strategy.all_reduce) shard_range_ = strategy.all_reduce->shards;
  if (strategy.sync) shard_range_ = strategy.sync->shards;
  std::optional<PlacementTrial> trial;
  if (replica.by_cost && replica.is_chief) {
    scope.set_variable_device(trial.emplace(build, training, replica).OfVariables());
  } else if (!replica.servers.empty()) {
    scope.set_variable_device(replica.takes_servers_in_turn ? InTurn(replica.servers) : ByBytes(replica.servers));
  }
  const Variable steps = MakeGlobalStep(scope);
  global_step = steps.value();
  if (strategy.sync) sync.emplace(*optimizer, steps, *strategy.sync);
  if (strategy.all_reduce) together.emplace(*optimizer, *strategy.all_reduce);
  if (!strategy.stages.empty() && !replica.by_cost) {
    staged.emplace(OptimizerOfStages(), strategy.stages, BytesOfModel(build, training));
    scope.set_variable_device(staged->OfVariables());
  }
  model = build(scope, OptimizerOfModel(), OfOneShard(training), training.shards > 0 ? 0 : replica.number);
  AddStepCount(steps, training, replica);
  if (together) AddMeetings(training, replica);
  AddReadiness();
  if (trial) by_cost = trial->Place(scope);
  if (model.logits) prediction = scope.Call("Softmax", {*model.logits}, {}, "prediction");
}

Optimizer& TrainingGraph::OptimizerOfModel() {
  if (sync) return *sync;
  return staged ? static_cast<Optimizer&>(*staged) : OptimizerOfStages();
}
Optimizer& TrainingGraph::OptimizerOfStages() { return together ? static_cast<Optimizer&>(*together) : *optimizer; }

void TrainingGraph::AddMeetings(const Training& training, const Replica& replica) {
  Require(together->meetings() > 0 || together->shards(), "--strategy ", training.strategy,
          " takes the mean of gradients, and this model is trained without: leave it to async-ps");
  if (replica.strategy.one_client) return;  // one client has nobody to agree with
  take_over = together->Broadcast(scope, /*sends=*/replica.is_chief);
  wish = ops::Placeholder(scope, DType::kInt32, {.shape = PartialShape(Shape())});
  greatest_wish = together->Greatest(scope, wish);
}

void TrainingGraph::AddStepCount(const Variable& steps, const Training& training, const Replica& replica) {
  if (sync) {
    Require(sync->update() != NodeId::kNone, "--strategy ", training.strategy,
            " adds gradients, and this model is trained without: leave it to async-ps");
    // Statistics beside the gradients are kept of the first shard, whichever workers there are.
    const bool counts = training.shards == 0 || replica.strategy.makes_updates;
    const auto after = scope.After({counts ? model.train : sync->train()});
    next_step = ops::Identity(scope, Output{&scope.builder(), {sync->train(), 0}});
  } else {
    const auto after = scope.After({model.train});
    next_step = ops::AssignAdd(scope, steps.ref(), Constant(scope, int64_t{1}), {.use_locking = true});
  }
  init = scope.Group({model.init, steps.initializer()}, "init_all");
}

void TrainingGraph::AddReadiness() {
  std::vector<Output> set;
  for (const Variable& variable : scope.variables()) {
    const auto beside = scope.On(scope.builder().graph().node(variable.ref().node()).device);
    set.push_back(ops::IsVariableInitialized(scope, variable.ref()));
  }
  is_ready = ops::All(scope, ops::Pack(scope, set), Constant(scope, 0));
}

std::vector<FeedValue> TrainingGraph::NextFeeds() const {
  if (shards() == nullptr) return model.next();
  std::vector<FeedValue> feeds;
  for (int shard = 0; shard < shard_range_.of; ++shard) {
    const int own = shard - shard_range_.first;
    for (const auto& [place, value] : model.next()) {
      if (own >= 0 && own < shard_range_.own) feeds.emplace_back(shards()->Place(own, place), value);
    }
  }
  return feeds;
}

void TrainingGraph::SkipFeeds() const {
  if (!model.skip) {
    NextFeeds();
    return;
  }
  const int batches = shards() == nullptr ? 1 : shard_range_.of;
  for (int batch = 0; batch < batches; ++batch) model.skip();
}

const ShardGradients* TrainingGraph::shards() const {
  if (sync) return sync->shards() ? &*sync->shards() : nullptr;
  return together && together->shards() ? &*together->shards() : nullptr;
}

}  // namespace plumb::tools
