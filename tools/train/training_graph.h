// What a replica of a training program runs: the model, and what makes its optimizer one with those of other replicas.
#pragma once

#include <memory>
#include <optional>

#include "client/placement/place_by_cost.h"
#include "client/training/all_reduce.h"
#include "client/training/stages.h"
#include "client/training/sync_replicas.h"
#include "tools/train/train_replica.h"

namespace plumb::tools {

struct TrainingGraph {
  // Throws kInvalidArgument for a model that cannot be trained by the replica's strategy.
  TrainingGraph(const BuildModel& build, const Training& training, const Replica& replica);
  TrainingGraph(const TrainingGraph&) = delete;
  TrainingGraph& operator=(const TrainingGraph&) = delete;

  // Whether replicas with variables of their own meet in each step.
  bool meets() const { return take_over != NodeId::kNone; }
  // Where batches are cut: how this replica's shards are computed; else null.
  const ShardGradients* shards() const;
  // Of the next step. All replicas read all shards in one order, and feed their own.
  std::vector<FeedValue> NextFeeds() const;
  // Passes over those.
  void SkipFeeds() const;

  const std::unique_ptr<Optimizer> optimizer;
  Scope scope;
  std::optional<SyncReplicas> sync;
  std::optional<AllReduce> together;
  std::optional<Stages> staged;
  std::optional<CostPlacement> by_cost;  // of the client, where its nodes lie by what they take
  TrainedModel model;
  // Of a classifier: the probability of each class, as "prediction". No step of the training asks for it.
  std::optional<Output> prediction;
  NodeId init = NodeId::kNone;
  Output is_ready;  // whether every variable has a value
  // The number of steps that all replicas have taken, and, for each step to fetch, the same with that step counted. Of
  // synchronous replicas the step that the next gradient is for.
  Output global_step, next_step;
  // Where replicas meet: how they begin alike, and save and stop after the same step. Each feeds what it wants for this
  // step, and the greatest is what all of them do.
  NodeId take_over = NodeId::kNone;
  Output wish, greatest_wish;

 private:
  Optimizer& OptimizerOfModel();
  Optimizer& OptimizerOfStages();
  void AddMeetings(const Training& training, const Replica& replica);
  void AddStepCount(const Variable& steps, const Training& training, const Replica& replica);
  void AddReadiness();

  ShardRange shard_range_;
};

}  // namespace plumb::tools
