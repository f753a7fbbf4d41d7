// GradLoop: the backward loop of one forward loop (rules D30–D38), and how forward values reach it.
#pragma once

#include <map>
#include <vector>

#include "client/control_flow/context.h"
#include "spec/ops/gradient.h"

namespace plumb {

class GradLoop : public std::enable_shared_from_this<GradLoop> {
 public:
  // Adds a counter to the forward loop and a backward loop that counts it down again (D30). `base` is the context in
  // which gradients are asked for; `outer` the backward loop of the loop around, if any (D34).
  // The backward loop's context keeps the GradLoop alive.
  static GradLoop* Make(GraphBuilder& builder, Context* base, WhileContext* forward, GradLoop* outer);

  WhileContext* forward() const { return forward_; }
  WhileContext* backward() const { return backward_; }
  GradLoop* outer() const { return outer_; }

  // A forward value in the backward loop: a constant again, an invariant entered, or the value of the same iteration
  // through a stack (D32).
  Endpoint BackwardValue(Endpoint value);
  // The predicate of a forward conditional, per iteration (D21).
  Endpoint BackwardPredicate(const CondContext& cond);

  // A stack onto which every forward iteration pushes `value`; and the value popped in the backward loop. With
  // `dead_branch` the value belongs to the branch of its conditional that is not its own.
  Endpoint Push(Endpoint value, bool dead_branch = false);
  Endpoint Pop(Endpoint stack, Endpoint value, bool dead_branch = false);

  // The sum over all iterations of the gradient of a loop invariant (D31), given as it is outside of the loop.
  GradientValue Accumulate(Endpoint invariant, const GradientValue& gradient);

  // The gradient's Merge for each Switch of a loop variable, between the two visits of the Switch (D31).
  std::map<NodeId, Endpoint>& switch_merges() { return switch_merges_; }
  // The forward values that pops of this loop stand for.
  const std::map<NodeId, Endpoint>& popped() const { return popped_; }
  // Zeros as the gradient of later iterations where a loop variable's next value does not depend on it (D35).
  void CloseOpenMerges();

 private:
  GradLoop(GraphBuilder& builder, Context* base, WhileContext* forward, GradLoop* outer)
      : builder_(builder), base_(base), forward_(forward), outer_(outer) {}
  Endpoint AddForwardCounter();
  void AddBackwardCounter(Endpoint trip_count);
  NodeId ForwardSync();
  NodeId BackwardSync();
  Endpoint FindHistory(Endpoint value) const;
  Endpoint ZeroSum(Endpoint invariant, Endpoint gradient);
  Endpoint ShapeBehind(Endpoint invariant, const AttrMap& type);
  Endpoint InvariantShape(Endpoint invariant, DType index_type);
  Endpoint AccumulateDense(Endpoint invariant, Endpoint gradient);
  GradientValue AccumulateSlices(Endpoint invariant, const GradientValue& gradient);
  Endpoint ZeroRow(Endpoint invariant, Endpoint values);

  GraphBuilder& builder_;
  Context* base_;
  WhileContext* forward_;
  WhileContext* backward_ = nullptr;
  GradLoop* outer_;
  Endpoint forward_index_;   // NextIteration of the forward counter
  Endpoint backward_index_;  // NextIteration of the backward counter
  NodeId forward_sync_ = NodeId::kNone;
  NodeId backward_sync_ = NodeId::kNone;
  std::map<Endpoint, Endpoint> history_;  // forward value → value in the backward loop
  std::map<NodeId, Endpoint> popped_;
  std::map<NodeId, Endpoint> switch_merges_;
};

}  // namespace plumb
