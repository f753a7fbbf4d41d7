// Batches that are cut into shards of one size, so that the sum of their gradients does not depend on who computes
// which: the gradients of all shards are added in the order of the shards, however many replicas share them.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "client/optimizers/optimizer.h"

namespace plumb {

// Which shards of a batch a replica computes.
struct ShardRange {
  int of = 0;     // shards of the batch; 0: it is not cut
  int first = 0;  // of this replica
  int own = 0;    // so many from there on
  // Where the shards are computed that the replica has, in order and as many on each; nodes that ask for a device of
  // their own, or to lie beside others, stay there, and so does all of the first shard. Empty: all are where the first
  // is.
  std::vector<std::string> devices = {};
};

// Replica `number` of `replicas` takes as many shards as each other, in order. Throws kInvalidArgument where `shards`
// is not a positive multiple of `replicas`.
ShardRange ShardsOf(int shards, int replicas, int number);

// What a replica computes for each of its shards: the nodes that lead to the gradients as they are for the first one,
// and copies of them for the others. Constants, variables and what is read of them are there once. Ops that draw random
// numbers draw others for each shard of the batch, whichever replica has it.
class ShardGradients {
 public:
  // `gradients` are those of a graph that is fed one shard. Throws kInvalidArgument for a graph that keeps a state
  // beside its variables (a queue, say), kUnimplemented for one with a loop: both name the node.
  ShardGradients(Scope& scope, std::span<const VariableGradient> gradients, ShardRange range);

  // The dense gradients of this replica's shard `i`, 0 <= i < range.own; variables without one are left out.
  const std::vector<VariableGradient>& of(int i) const { return of_[i]; }
  // Where shard `i` of this replica takes what the first one takes at `place`; a place that no gradient depends on
  // stays as it is.
  Output Place(int i, Output place) const;

 private:
  using Copies = std::unordered_map<NodeId, NodeId>;

  std::vector<Copies> copies_;  // from the second shard on
  std::vector<std::vector<VariableGradient>> of_;
};

// The mean of what the shards of a batch gave, ((s₀ + s₁) + s₂ + …) / n: the same bits for the same shards, always.
Output MeanInOrder(Scope& scope, const std::vector<Output>& shards);

}  // namespace plumb
