#include "client/control_flow/grad_loop.h"

#include "client/zeros.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb {
namespace {

// The Enter of a loop invariant that `value` is, seen through Switch and Identity; or kNone.
NodeId InvariantSource(const Graph& graph, Endpoint value) {
  NodeId id = value.node;
  while (IsSwitch(graph.node(id)) || graph.node(id).op->kind == OpKind::kIdentity) {
    id = graph.node(id).inputs[0].node;
  }
  return IsConstantEnter(graph.node(id)) ? id : NodeId::kNone;
}

}  // namespace

GradLoop* GradLoop::Make(GraphBuilder& builder, Context* base, WhileContext* forward, GradLoop* outer) {
  const std::shared_ptr<GradLoop> loop(new GradLoop(builder, base, forward, outer));
  Endpoint trip_count = loop->AddForwardCounter();
  if (outer != nullptr) trip_count = outer->Pop(outer->Push(trip_count), trip_count);
  loop->AddBackwardCounter(trip_count);
  return loop.get();
}

// D30. The pushes of one execution of an inner loop come before those of the next (D34).
Endpoint GradLoop::AddForwardCounter() {
  InContext around(builder_, forward_->outer());
  const Endpoint zero = builder_.Constant(MakeScalar<int32_t>(0), "f_count");
  if (outer_ != nullptr) {
    builder_.AddControlInput(zero.node, builder_.graph().node(outer_->forward_index_.node).inputs[0].node);
  }
  const auto counter = forward_->EnterVariable(builder_, zero, "f_count");
  const NodeId branch = forward_->Branch(builder_, counter.merge);
  InContext inside(builder_, forward_);
  const Endpoint one = builder_.Constant(MakeScalar<int32_t>(1));
  const Endpoint next = builder_.Call("AddV2", {{branch, 1}, one});
  forward_index_ = forward_->CloseLoop(builder_, counter.merge, next);
  return forward_->Leave(builder_, {branch, 0}, "f_count");
}

void GradLoop::AddBackwardCounter(Endpoint trip_count) {
  Context* around = outer_ != nullptr ? outer_->backward_ : forward_->outer();
  InContext outside(builder_, around);
  WhileContext::Options options = forward_->options();
  options.frame = builder_.UniqueName(options.frame);
  options.grad_loop = shared_from_this();
  backward_ = builder_.Own(std::make_unique<WhileContext>(around, std::move(options)));

  const Endpoint one = builder_.Constant(MakeScalar<int32_t>(1), "b_count");
  const auto counter = backward_->EnterVariable(builder_, trip_count, "b_count");
  InContext inside(builder_, backward_);
  backward_->SetCondition(builder_, builder_.Call("GreaterEqual", {counter.merge, one}), "b_count");
  const NodeId branch = backward_->Branch(builder_, counter.merge);
  const Endpoint next = builder_.Call("Sub", {{branch, 1}, one});
  backward_->set_body_pivot(next.node);
  backward_index_ = backward_->CloseLoop(builder_, counter.merge, next);
  const Endpoint final_zero = backward_->Leave(builder_, {branch, 0}, "b_count");
  if (outer_ != nullptr) builder_.AddControlInput(outer_->BackwardSync(), final_zero.node);
}

// A point in each iteration that the counter waits for: what it controls is done before the next iteration's is.
NodeId GradLoop::ForwardSync() {
  if (forward_sync_ == NodeId::kNone) {
    InContext detached(builder_, nullptr);
    forward_sync_ = NamedCall(builder_, "ControlTrigger", {}, {}, "f_sync").node;
    builder_.set_context_of(forward_sync_, forward_);
    builder_.AddControlInput(forward_index_.node, forward_sync_);
  }
  return forward_sync_;
}

NodeId GradLoop::BackwardSync() {
  if (backward_sync_ == NodeId::kNone) {
    InContext detached(builder_, nullptr);
    backward_sync_ = NamedCall(builder_, "ControlTrigger", {}, {}, "b_sync").node;
    builder_.set_context_of(backward_sync_, backward_);
    builder_.AddControlInput(backward_index_.node, backward_sync_);
  }
  return backward_sync_;
}

Endpoint GradLoop::Push(Endpoint value, bool dead_branch) {
  Endpoint stack;
  {
    InContext base(builder_, base_);
    GraphBuilder::ColocationScope with(builder_, value.node);
    const Endpoint unlimited = builder_.Constant(MakeScalar<int32_t>(-1));
    stack = NamedCall(builder_, "StackV2", {unlimited}, {{"elem_type", builder_.dtype(value)}}, "f_acc");
  }
  Context* home = OutputContext(builder_, value.node);
  if (home != forward_ && home->AsCond() == nullptr) {
    throw Unimplemented("the gradient needs '", builder_.graph().NameOf(value), "' of a loop inside the loop '",
                        forward_->options().frame, "', which no stack can keep");
  }
  NodeId push = NodeId::kNone;
  {
    InContext at(builder_, dead_branch ? home->outer() : home);
    push = builder_.Add("StackPushV2", {stack, value}, {{"swap_memory", forward_->options().swap_memory}});
  }
  builder_.set_context_of(push, home);
  // D32: pushes of one iteration come after its count and before the next one's.
  builder_.AddControlInput(home == forward_ ? forward_index_.node : ForwardSync(), push);
  builder_.AddControlInput(push, builder_.graph().node(forward_index_.node).inputs[0].node);
  return stack;
}

Endpoint GradLoop::Pop(Endpoint stack, Endpoint value, bool dead_branch) {
  const CondContext* cond = nullptr;
  const Context* home = ContextOf(builder_, stack.node);
  for (Context* at = ContextOf(builder_, value.node); at != nullptr && at != home && cond == nullptr;
       at = at->outer()) {
    cond = at->AsCond();
  }
  InContext inside(builder_, backward_);
  Endpoint source = stack;
  if (cond != nullptr) {
    // Only the branch that pushed may pop.
    Endpoint predicate = FindHistory(cond->predicate());
    if (predicate.node == NodeId::kNone) predicate = cond->predicate();
    source = SwitchTo(builder_, stack, predicate, dead_branch ? 1 - cond->branch() : cond->branch());
  }
  const Endpoint pop = builder_.Call("StackPopV2", {source}, {{"elem_type", builder_.dtype(value)}});
  builder_.set_shape(pop, builder_.shape(value));
  popped_.emplace(pop.node, value);
  if (backward_->options().parallel_iterations > 1) builder_.AddControlInput(BackwardSync(), pop.node);
  return pop;
}

Endpoint GradLoop::FindHistory(Endpoint value) const {
  for (const GradLoop* loop = this; loop != nullptr; loop = loop->outer_) {
    const auto found = loop->history_.find(value);
    if (found != loop->history_.end()) return found->second;
  }
  return {};
}

Endpoint GradLoop::BackwardValue(Endpoint value) {
  const auto known = history_.find(value);
  if (known != history_.end()) return known->second;
  InContext inside(builder_, backward_);
  // Follow invariants out of the loops that they are invariant in.
  Endpoint source = value;
  GradLoop* owner = this;
  while (owner != nullptr && builder_.constant(source) == nullptr) {
    const NodeId enter = InvariantSource(builder_.graph(), source);
    if (enter == NodeId::kNone) break;
    source = builder_.graph().node(enter).inputs[0];
    owner = owner->outer_;
  }
  Endpoint result;
  if (const Tensor* constant = builder_.constant(source)) {
    result = builder_.Constant(*constant);
  } else if (owner == nullptr) {
    result = backward_->Import(builder_, source);
  } else {
    result = owner->Pop(owner->Push(source), source);
    if (owner != this) result = backward_->Import(builder_, result);
  }
  history_.emplace(value, result);
  return result;
}

Endpoint GradLoop::BackwardPredicate(const CondContext& cond) {
  const Endpoint predicate = cond.predicate();
  const auto known = history_.find(predicate);
  if (known != history_.end()) return known->second;
  const Endpoint value = Pop(Push(predicate), predicate);
  history_.emplace(predicate, value);
  return value;
}

void GradLoop::CloseOpenMerges() {
  for (const auto& [loop_switch, merge] : switch_merges_) {
    const std::vector<Endpoint> inputs = builder_.graph().node(merge.node).inputs;
    if (inputs[0] != inputs[1]) continue;
    const PartialShape shape = builder_.shape(merge);
    const DType dtype = builder_.dtype(merge);
    Endpoint zeros;
    if (shape.IsFullyDefined()) {
      InContext inside(builder_, backward_);
      zeros = ZerosOf(builder_, shape.ToShape(), dtype);
    } else {
      InContext outside(builder_, backward_->outer());
      const Endpoint entered = builder_.graph().node(inputs[0].node).inputs[0];
      zeros = ZerosOf(builder_, builder_.Call("Shape", {entered}), dtype);
    }
    backward_->CloseLoop(builder_, merge, zeros);
  }
}

}  // namespace plumb
