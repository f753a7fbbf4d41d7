// Synchronous replicas: an update takes the mean of gradients that several replicas of a program have computed for the
// same values of the variables (OSDI paper §4.4, figure 4b and 4c).
#pragma once

#include <optional>
#include <string>

#include "client/training/shards.h"

namespace plumb {

struct SyncReplicasOptions {
  int replicas = 1;   // that compute gradients
  int aggregate = 1;  // gradients of each update: fewer than `replicas` leaves the others as backup workers
  // Replicas of equal names aggregate together; groups of different names are asynchronous to each other.
  std::string group = "sync";
  std::string device;  // of the tokens
  // Of the batch, of which this replica computes some. With shards an update adds the gradients of all in their order,
  // so that as many replicas as divide them come to the same bits. Each replica is waited for.
  ShardRange shards = {};
};

// An optimizer around another. Its train op hands the gradients of one replica in, each to an accumulator beside the
// variable, and waits for a token; one of the replicas, the chief, runs `update` again and again beside its own
// training. A gradient for values that an update has replaced meanwhile is dropped. Several replicas share variables,
// accumulators and tokens by name, so their programs make equal variables in equal order.
//
// A chief:  initialize → (on a thread) { update → release | close } ; with every replica: begin → train, train, …
class SyncReplicas : public Optimizer {
 public:
  // `global_step` counts updates. `inner` says what an update does; both outlive this. kInvalidArgument unless
  // 1 <= aggregate <= replicas, and aggregate is all of them where the batch is cut into shards.
  SyncReplicas(Optimizer& inner, const Variable& global_step, SyncReplicasOptions options);

  // The train op of this replica. Ends with kOutOfRange once the tokens are closed. `global_step` has to be null: the
  // one of the constructor counts. Called once.
  NodeId Apply(Scope& scope, std::span<const VariableGradient> gradients, const Variable* global_step) override;

  // Where the shards of this replica are fed; none where batches are not cut, or before Apply.
  const std::optional<ShardGradients>& shards() const { return shards_; }

  // The nodes, which are there after Apply:
  NodeId train() const { return train_; }  // what Apply gave; its output is the step of the token
  // Takes the next token, and gives its step as train does. For a replica whose token's step is behind the global step:
  // tokens are left over where a replica was away, and a gradient for such a step would be dropped.
  NodeId retake() const { return retake_; }
  NodeId begin() const { return begin_; }            // a replica's first: it computes for the step that now is
  NodeId initialize() const { return initialize_; }  // the chief's first, after variables were set or restored
  NodeId update() const { return update_; }          // waits for `aggregate` gradients, and applies their mean
  NodeId release() const { return release_; }        // lets each replica compute its next gradient
  NodeId close() const { return close_; }            // instead of it: every replica ends

 protected:
  std::string name() const override { return "SyncReplicas"; }
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override;
  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override;

 private:
  // Hands in a gradient, and gives the mean that the update takes.
  VariableGradient Aggregated(Scope& scope, const VariableGradient& gradient, Endpoint local_step);
  // The same for gradient `i` of each shard.
  VariableGradient AggregatedShards(Scope& scope, size_t i, Endpoint local_step);
  // Hands `gradient` in where it is not None; the mean of `aggregate` such gradients.
  Endpoint MeanOfDense(Scope& scope, const Variable& variable, const std::string& suffix, const GradientValue& gradient,
                       int aggregate, Endpoint local_step);
  void AddReset(Scope& scope, Endpoint accumulator);
  Endpoint Accumulator(Scope& scope, const char* op, const Variable& variable, const std::string& suffix = "");
  void AddTokens(Scope& scope, const Variable& local_step);

  Optimizer& inner_;
  const Variable global_step_;
  const SyncReplicasOptions options_;
  std::optional<ShardGradients> shards_;
  std::vector<NodeId> handed_in_, resets_;
  NodeId train_ = NodeId::kNone, retake_ = NodeId::kNone, begin_ = NodeId::kNone, initialize_ = NodeId::kNone,
         update_ = NodeId::kNone, release_ = NodeId::kNone, close_ = NodeId::kNone;
};

}  // namespace plumb
