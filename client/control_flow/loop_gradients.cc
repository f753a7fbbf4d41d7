#include "client/control_flow/loop_gradients.h"

#include <algorithm>

#include "client/zeros.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb {
namespace {

// The nodes that some y is computed from.
std::vector<bool> DataAncestors(const Graph& graph, const std::vector<Endpoint>& ys) {
  std::vector<bool> found(graph.size());
  std::vector<Endpoint> open = ys;
  while (!open.empty()) {
    const NodeId id = open.back().node;
    open.pop_back();
    if (found[Index(id)]) continue;
    found[Index(id)] = true;
    const auto& inputs = graph.node(id).inputs;
    open.insert(open.end(), inputs.begin(), inputs.end());
  }
  return found;
}

[[noreturn]] void ThrowSecondOrder(const std::string& node, const WhileContext& loop) {
  throw Unimplemented("second-order gradients of while loops are not supported: '", node,
                      "' belongs to the backward loop '", loop.options().frame, "'");
}

// The nodes of loops that were not built through WhileLoop: from an Enter without a context to the Exits.
std::vector<bool> NodesOfForeignLoops(const GraphBuilder& builder) {
  const Graph& graph = builder.graph();
  std::vector<NodeId> open;
  for (const Node& node : graph.nodes()) {
    if (IsEnter(node) && ContextOf(builder, node.id) == nullptr) open.push_back(node.id);
  }
  std::vector<bool> found(graph.size());
  if (open.empty()) return found;
  const auto out_edges = OutEdges(graph);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (found[Index(id)]) continue;
    found[Index(id)] = true;
    if (IsExit(graph.node(id))) continue;
    for (const Edge& edge : out_edges[Index(id)]) open.push_back(edge.consumer);
  }
  return found;
}

// The backward loop needs to know the loop's variables, its predicate and its conditionals, which the bare nodes of an
// imported graph do not tell.
void RefuseForeignLoops(const GraphBuilder& builder, const GradientPath& path) {
  const std::vector<bool> foreign = NodesOfForeignLoops(builder);
  for (const NodeId id : path.between) {
    if (!foreign[Index(id)]) continue;
    throw Unimplemented("the gradient would pass through '", builder.graph().node(id).name,
                        "', a node of a loop that was not built with WhileLoop (an imported one, say); such loops have "
                        "no gradient");
  }
}

}  // namespace

LoopGradients::LoopGradients(GraphBuilder& builder, GradientPath& path, const std::vector<Endpoint>& ys)
    : builder_(builder), base_(CurrentContext(builder)) {
  RefuseForeignLoops(builder, path);
  RefuseSecondOrder(path, ys);
  for (size_t i = 0; i < path.between.size(); ++i) {
    const NodeId id = path.between[i];
    if (IsExit(builder_.graph().node(id)) && ContextOf(builder_, id) != nullptr) AddLoop(id, path);
  }
}

// No edge leads from a value that a forward loop pushes to what the backward loop pops, so the path would miss it.
void LoopGradients::RefuseSecondOrder(const GradientPath& path, const std::vector<Endpoint>& ys) const {
  std::vector<bool> needed;
  for (const Node& node : builder_.graph().nodes()) {
    const WhileContext* loop = EnclosingWhile(ContextOf(builder_, node.id));
    if (loop == nullptr || loop->grad_loop() == nullptr) continue;
    const auto popped = loop->grad_loop()->popped().find(node.id);
    if (popped == loop->grad_loop()->popped().end()) continue;
    const Endpoint value = popped->second;
    if (!path.reached[Index(value.node)] || !IsTrainable(builder_.dtype(value))) continue;
    if (needed.empty()) needed = DataAncestors(builder_.graph(), ys);
    if (needed[Index(node.id)]) ThrowSecondOrder(builder_.graph().node(node.id).name, *loop);
  }
}

void LoopGradients::AddLoop(NodeId exit, GradientPath& path) {
  WhileContext* forward = EnclosingWhile(ContextOf(builder_, exit));
  if (loops_.contains(forward)) return;
  if (forward->grad_loop() != nullptr) ThrowSecondOrder(builder_.graph().node(exit).name, *forward);
  Loop& loop = loops_[forward];
  order_.push_back(forward);
  loop.exits = forward->exits();
  loop.pending_exits = static_cast<int>(loop.exits.size());
  loop.grad = GradLoop::Make(builder_, base_, forward, GradOf(forward->outer()));
  for (const Endpoint& each : loop.exits) path.AddBetween(each.node);
}

GradLoop* LoopGradients::GradOf(Context* context) const {
  const auto found = loops_.find(EnclosingWhile(context));
  return found == loops_.end() ? nullptr : found->second.grad;
}

LoopGradients::Loop* LoopGradients::FindLoop(const WhileContext* forward) {
  const auto found = loops_.find(forward);
  return found == loops_.end() ? nullptr : &found->second;
}

GradLoop* LoopGradients::LoopOf(NodeId node, bool before) const {
  return GradOf(before ? OutputContext(builder_, node) : ContextOf(builder_, node));
}

std::vector<Endpoint> LoopGradients::UnusedExits(GradientPath& path, const std::vector<bool>& is_start) {
  std::vector<Endpoint> unused;
  for (const WhileContext* forward : order_) {
    Loop& loop = loops_[forward];
    for (const Endpoint& exit : loop.exits) {
      if (path.pending[Index(exit.node)] != 0) continue;
      --loop.pending_exits;
      if (!is_start[Index(exit.node)]) loop.unused_exits.push_back(exit);
      if (loop.pending_exits == 0) unused.insert(unused.end(), loop.unused_exits.begin(), loop.unused_exits.end());
    }
    // Enters are visited even when nothing in the loop leads to them.
    for (const Endpoint& enter : forward->enters()) {
      if (Index(enter.node) < path.pending.size() && path.pending[Index(enter.node)] == 0) {
        path.pending[Index(enter.node)] = 1;
      }
    }
  }
  std::erase_if(unused, [&](const Endpoint& exit) { return !IsTrainable(builder_.graph().TypeOf(exit)); });
  return unused;
}

std::vector<NodeId> LoopGradients::DeferExit(Endpoint exit, const std::function<bool(NodeId)>& has_gradient,
                                             const std::function<void(Endpoint)>& feed) {
  Loop& loop = *FindLoop(EnclosingWhile(ContextOf(builder_, exit.node)));
  loop.deferred_exits.push_back(exit);
  if (--loop.pending_exits != 0) return {};
  std::vector<NodeId> ready;
  for (const Endpoint& each : loop.deferred_exits) {
    if (has_gradient(each.node)) {
      ready.push_back(each.node);
    } else {
      loop.unused_exits.push_back(each);
    }
  }
  const bool some_gradient = !ready.empty();
  for (const Endpoint& each : loop.unused_exits) {
    if (some_gradient && IsTrainable(builder_.graph().TypeOf(each))) feed(each);
    ready.push_back(each.node);
  }
  return ready;
}

Endpoint LoopGradients::ZerosForExit(Endpoint exit) {
  const PartialShape shape = builder_.shape(exit);
  const DType dtype = builder_.dtype(exit);
  Context* around = OutputContext(builder_, exit.node);
  GradLoop* outer = GradOf(around);
  if (outer == nullptr) {
    if (shape.IsFullyDefined()) return ZerosOf(builder_, shape.ToShape(), dtype);
    return builder_.Call("ZerosLike", {exit});
  }
  Endpoint run_shape;
  if (!shape.IsFullyDefined()) {
    Endpoint forward_shape;
    {
      InContext forward(builder_, around);
      forward_shape = builder_.Call("Shape", {exit});
    }
    run_shape = outer->Pop(outer->Push(forward_shape), forward_shape);
  }
  InContext backward(builder_, outer->backward());
  return shape.IsFullyDefined() ? ZerosOf(builder_, shape.ToShape(), dtype) : ZerosOf(builder_, run_shape, dtype);
}

GradientValue LoopGradients::ZerosFor(Endpoint output) {
  const Node& node = builder_.graph().node(output.node);
  Context* context = ContextOf(builder_, output.node);
  if (IsSwitch(node) && context != nullptr && context->AsWhile() != nullptr) return GradientValue::None();
  if (builder_.dtype(output) == DType::kResource || builder_.dtype(output) == DType::kVariant) {
    return GradientValue::None();
  }
  GradLoop* loop = GradOf(context);
  return loop == nullptr ? ZerosOutsideLoops(builder_, output) : ZerosInLoop(*loop, output);
}

GradientValue LoopGradients::ZerosInLoop(GradLoop& loop, Endpoint output) {
  const DType dtype = builder_.dtype(output);
  const PartialShape shape = builder_.shape(output);
  Context* home = ContextOf(builder_, output.node);
  const CondContext* cond = IsSwitch(builder_.graph().node(output.node)) ? home->AsCond() : nullptr;
  if (shape.IsFullyDefined()) {
    const Endpoint zeros = ZerosOf(builder_, shape.ToShape(), dtype);
    if (cond == nullptr) return zeros;
    // Live only when the other branch was taken.
    return SwitchTo(builder_, zeros, loop.BackwardPredicate(*cond), 1 - cond->branch());
  }
  Endpoint forward_shape;
  if (cond != nullptr) {
    InContext around(builder_, home->outer());
    const Endpoint data = builder_.graph().node(output.node).inputs[0];
    const Endpoint other = SwitchTo(builder_, data, cond->predicate(), 1 - cond->branch());
    forward_shape = builder_.Call("Shape", {other});
    builder_.set_context_of(other.node, home);
    builder_.set_context_of(forward_shape.node, home);
  } else {
    InContext at(builder_, home);
    forward_shape = builder_.Call("Shape", {output});
  }
  const bool dead_branch = cond != nullptr;
  const Endpoint stack = loop.Push(forward_shape, dead_branch);
  const Endpoint run_shape = loop.Pop(stack, forward_shape, dead_branch);
  return ZerosOf(builder_, run_shape, dtype);
}

void LoopGradients::Finish() {
  for (const WhileContext* forward : order_) loops_[forward].grad->CloseOpenMerges();
}

GradientValue ZerosOutsideLoops(GraphBuilder& builder, Endpoint output) {
  const DType dtype = builder.dtype(output);
  if (dtype == DType::kResource || dtype == DType::kVariant) return GradientValue::None();
  Context* context = ContextOf(builder, output.node);
  const CondContext* cond =
      IsSwitch(builder.graph().node(output.node)) && context != nullptr ? context->AsCond() : nullptr;
  if (cond == nullptr) return builder.Call("ZerosLike", {output});
  const Endpoint data = builder.graph().node(output.node).inputs[0];
  const Endpoint other = SwitchTo(builder, data, cond->predicate(), 1 - cond->branch());
  const Endpoint pivot = builder.Call("Identity", {other});
  const Endpoint shape = builder.Call("Shape", {other});
  GraphBuilder::ControlScope after(builder, {pivot.node});
  return ZerosOf(builder, shape, dtype);
}

}  // namespace plumb
