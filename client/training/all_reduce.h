// Replicas that train together without a parameter server: each has variables of its own, and updates them with the
// mean of all replicas' gradients (Horovod, arXiv:1802.05799; rules CO1–CO6).
//
//   AllReduce together(*optimizer, {.replicas = 4});
//   const NodeId train = together.Minimize(scope, loss);
//   const NodeId begin = together.Broadcast(scope, /*sends=*/replica == 0);
//   … the first replica initialises, then each runs `begin` once, and then `train` as often as all others
#pragma once

#include <string>
#include <vector>

#include "client/optimizers/optimizer.h"

namespace plumb {

struct AllReduceOptions {
  int replicas = 1;
  int group_key = 1;  // of these replicas; training programs that share ranks have different ones
};

// Wraps an optimizer. Its Minimize or Apply builds a step in which gradients, the sparse ones as dense tensors, are
// replaced by their means over all replicas before `inner` applies them. The means have the same bits on every replica
// (rule CO3), so replicas that begin alike stay alike, bit for bit. A step ends when all replicas have taken it.
//
// Replicas build equal graphs, each for a device of its own: that which the scope asks for, or else the first CPU of
// the replica's task.
class AllReduce : public Optimizer {
 public:
  // `inner` outlives this. Throws kInvalidArgument for less than one replica.
  AllReduce(Optimizer& inner, const AllReduceOptions& options);

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
  std::vector<NodeId> Finish(Scope& scope, const std::vector<NodeId>& updates) override;

 private:
  AttrMap Meeting();
  AttrMap Reduction(const char* merge_op, const char* final_op);

  Optimizer& inner_;
  const AllReduceOptions options_;
  int64_t meetings_ = 0;  // whose nodes were built: their instance keys
  std::vector<VariableGradient> means_;
};

}  // namespace plumb
