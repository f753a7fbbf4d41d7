// Replicas that train together without a parameter server: each has variables of its own, and updates them with the
// mean of all replicas' gradients (Horovod, arXiv:1802.05799; rules CO1–CO6).
//
//   AllReduce together(*optimizer, {.replicas = 4});
//   const NodeId train = together.Minimize(scope, loss);
//   const NodeId begin = together.Broadcast(scope, /*sends=*/replica == 0);
//   … the first replica initialises, then each runs `begin` once, and then `train` as often as all others
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/training/shards.h"

namespace plumb {

struct AllReduceOptions {
  int replicas = 1;
  int group_key = 1;  // of these replicas; training programs that share ranks have different ones
  // Of the batch, of which this replica computes some. With shards the gradients of all are gathered and added in their
  // order, so that as many replicas as divide them come to the same bits, one alone too.
  ShardRange shards = {};
  // Gradients that come one after the other travel as one tensor of so many bytes at most, which changes no bit of
  // them; those that are larger, and all with 0, travel alone. Those of shards do, too.
  int64_t bucket_bytes = 0;
  // Which way gradients take between processes: "ring", "tree", "shared", or "auto", by their sizes and the hosts. It
  // changes no bit of them (rule CO7). Those of shards are gathered, which leaves no choice.
  std::string way = "auto";
};

// Which of these gradients, whose sizes are given, travel together: those that come first, which are those of the last
// variables, come first; each of `limit` bytes at most, or one alone.
std::vector<std::vector<size_t>> CutIntoBuckets(const std::vector<int64_t>& bytes, int64_t limit);

// Whether `way` may stand in these options.
bool IsAllReduceWay(std::string_view way);

// Wraps an optimizer. Its Minimize or Apply builds a step in which gradients, the sparse ones as dense tensors, are
// replaced by their means over all replicas before `inner` applies them; each travels as soon as it is there, while
// others are still computed. The means have the same bits on every replica (rule CO3), so replicas that begin alike
// stay alike, bit for bit. A step ends when all replicas have taken it.
//
// Replicas build equal graphs, each for a device of its own: that which the scope asks for, or else the first CPU of
// the replica's task.
class AllReduce : public Optimizer {
 public:
  // `inner` outlives this; a range of shards is that of ShardsOf. Throws kInvalidArgument for less than one replica,
  // and for a way that there is not.
  AllReduce(Optimizer& inner, const AllReduceOptions& options);

  // The mean of all replicas' gradients is applied by the train op. Throws as ShardGradients does.
  NodeId Apply(Scope& scope, std::span<const VariableGradient> gradients,
               const Variable* global_step = nullptr) override;
  // Where the shards of this replica are fed; none where batches are not cut, or before Apply.
  const std::optional<ShardGradients>& shards() const { return shards_; }

  // How many meetings were built: none where Minimize or Apply was not called.
  int64_t meetings() const { return meetings_; }
  // The greatest of the int32 scalars that the replicas feed: whether any of them wants something.
  Output Greatest(Scope& scope, Output number);
  // A node that gives all variables of the scope, slots and step counts too, the values that they have on the replica
  // which sends. Throws kInvalidArgument for types that CollectiveBcastSend does not take.
  NodeId Broadcast(Scope& scope, bool sends);

 protected:
  std::string name() const override { return "AllReduce"; }
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override;

 private:
  std::vector<VariableGradient> MeansOf(Scope& scope, const std::vector<VariableGradient>& gradients);
  // Of gradients of one type and device.
  std::vector<Endpoint> MeansOfBucket(Scope& scope, const std::vector<VariableGradient>& gradients);
  std::vector<VariableGradient> MeansOfShards(Scope& scope, std::span<const VariableGradient> gradients);
  // The mean over all shards of one variable's gradients; `own` are those of this replica's shards.
  Output MeanOverShards(Scope& scope, const std::vector<Output>& own);
  AttrMap Meeting();
  AttrMap Reduction(const char* merge_op, const char* final_op);

  Optimizer& inner_;
  const AllReduceOptions options_;
  int64_t meetings_ = 0;  // whose nodes were built: their instance keys
  std::optional<ShardGradients> shards_;
};

}  // namespace plumb
