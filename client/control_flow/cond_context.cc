#include <algorithm>

#include "client/control_flow/context.h"

namespace plumb {

CondContext::CondContext(GraphBuilder& builder, Context* outer, Endpoint predicate, Endpoint pivot, int branch)
    : Context(outer), predicate_(predicate), pivot_(pivot), branch_(branch) {
  imported_.emplace(predicate, predicate);
  builder.set_context_of(pivot.node, this);
}

Endpoint CondContext::Import(GraphBuilder& builder, Endpoint value) {
  const auto known = imported_.find(value);
  if (known != imported_.end()) return known->second;
  if (IsWithin(OutputContext(builder, value.node), this)) return value;
  const Endpoint outside = outer() == nullptr ? value : outer()->Import(builder, value);
  InContext detached(builder, nullptr);
  const Endpoint inside = SwitchTo(builder, outside, predicate_, branch_);
  builder.set_context_of(inside.node, this);
  imported_.emplace(value, inside);
  return inside;
}

void CondContext::Added(GraphBuilder& builder, NodeId id) {
  RemoveExternalControl(builder, id);
  const Node& node = builder.graph().node(id);
  if (!node.inputs.empty()) return;
  const bool tied = std::any_of(node.control_inputs.begin(), node.control_inputs.end(),
                                [&](NodeId before) { return IsWithin(ContextOf(builder, before), this); });
  if (!tied) builder.AddControlInput(id, pivot_.node);
}

}  // namespace plumb
