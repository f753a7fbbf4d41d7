#include "client/control_flow/context.h"

#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb {

Context* OutputContext(const GraphBuilder& builder, NodeId node) {
  Context* context = ContextOf(builder, node);
  return context != nullptr && IsExit(builder.graph().node(node)) ? context->outer() : context;
}

WhileContext* EnclosingWhile(Context* context) {
  while (context != nullptr && context->AsWhile() == nullptr) context = context->outer();
  return context == nullptr ? nullptr : context->AsWhile();
}

bool IsWithin(const Context* context, const Context* container) {
  while (context != nullptr && context != container) context = context->outer();
  return context == container;
}

bool IsConstantEnter(const Node& node) { return IsEnter(node) && GetAttr<bool>(node.attrs, "is_constant"); }

std::string_view SwitchOp(const GraphBuilder& builder, Endpoint value) {
  return IsRef(builder.graph().TypeOf(value)) ? "RefSwitch" : "Switch";
}

Endpoint NamedCall(GraphBuilder& builder, std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs,
                   std::string name) {
  GraphBuilder::Options options;
  options.name = std::move(name);
  return {builder.Add(op, inputs, std::move(attrs), std::move(options)), 0};
}

Endpoint SwitchTo(GraphBuilder& builder, Endpoint value, Endpoint predicate, int branch, std::string name) {
  const Endpoint both = NamedCall(builder, SwitchOp(builder, value), {value, predicate}, {}, std::move(name));
  return {both.node, branch};
}

std::vector<NodeId> Context::RemoveExternalControl(GraphBuilder& builder, NodeId node) {
  const WhileContext* loop = EnclosingWhile(this);
  const std::vector<NodeId>& control = builder.graph().node(node).control_inputs;
  if (loop == nullptr || control.empty()) return {};
  std::vector<NodeId> internal;
  std::vector<NodeId> external;
  for (const NodeId before : control) {
    const bool inside = EnclosingWhile(OutputContext(builder, before)) == loop;
    (inside ? internal : external).push_back(before);
  }
  if (!external.empty()) builder.SetControlInputs(node, std::move(internal));
  return external;
}

}  // namespace plumb
