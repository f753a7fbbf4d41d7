#include <algorithm>

#include "client/control_flow/context.h"
#include "client/control_flow/grad_loop.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/control_flow.h"

namespace plumb {

// D33: the shape of a forward value is taken in the forward loop.
ControlFlowContext* WhileContext::ContextFor(GraphBuilder& builder, std::string_view op,
                                             const std::vector<Endpoint>& inputs) {
  const OpDef* op_def = FindOp(op);  // null for a function
  const bool tells_shape = op_def != nullptr && op_def->fold.from_shapes != nullptr;
  if (grad_loop() == nullptr || inputs.size() != 1 || !tells_shape) return this;
  Context* of_input = OutputContext(builder, inputs[0].node);
  return EnclosingWhile(of_input) == grad_loop()->forward() ? of_input : this;
}

Endpoint WhileContext::Import(GraphBuilder& builder, Endpoint value) {
  const auto known = imported_.find(value);
  if (known != imported_.end()) return known->second;
  Context* home = OutputContext(builder, value.node);
  if (IsWithin(home, this)) return value;
  Endpoint inside;
  if (grad_loop() != nullptr && EnclosingWhile(home) == grad_loop()->forward()) {
    inside = grad_loop()->BackwardValue(value);
  } else {
    const Endpoint outside = outer() == nullptr ? value : outer()->Import(builder, value);
    inside = Enter(builder, outside, /*is_constant=*/true, "");
  }
  imported_.emplace(value, inside);
  return inside;
}

// X43: what the enclosing control scopes ask for is waited for on entry.
Endpoint WhileContext::Enter(GraphBuilder& builder, Endpoint value, bool is_constant, const std::string& name) {
  std::vector<NodeId> before;
  for (const NodeId node : builder.control_scope()) {
    if (IsWithin(outer(), OutputContext(builder, node))) before.push_back(node);
  }
  const PartialShape shape = builder.shape(value);
  InContext detached(builder, nullptr);
  const Endpoint enter = NamedCall(builder, IsRef(builder.graph().TypeOf(value)) ? "RefEnter" : "Enter", {value},
                                   {{"frame_name", options_.frame},
                                    {"is_constant", is_constant},
                                    {"parallel_iterations", options_.parallel_iterations}},
                                   name);
  builder.SetControlInputs(enter.node, std::move(before));
  builder.set_context_of(enter.node, this);
  builder.set_shape(enter, shape);
  return enter;
}

bool WhileContext::RunsFreely(const GraphBuilder& builder, NodeId id) const {
  const Node& node = builder.graph().node(id);
  return node.control_inputs.empty() && std::all_of(node.inputs.begin(), node.inputs.end(), [&](Endpoint input) {
           return IsConstantEnter(builder.graph().node(input.node));
         });
}

void WhileContext::Added(GraphBuilder& builder, NodeId id) {
  const std::vector<NodeId> external = RemoveExternalControl(builder, id);
  // X26: an op that hangs on loop invariants alone would run in the last, false iteration too.
  if (RunsFreely(builder, id) && Pivot() != NodeId::kNone) builder.AddControlInput(id, Pivot());
  for (const NodeId before : external) {
    if (builder.graph().node(before).output_types.empty()) continue;
    InContext here(builder, this);
    builder.AddControlInput(id, builder.Call("Identity", {{before, 0}}).node);
  }
}

WhileContext::Variable WhileContext::EnterVariable(GraphBuilder& builder, Endpoint initial, const std::string& name,
                                                   const PartialShape* invariant) {
  const Endpoint enter = Enter(builder, initial, /*is_constant=*/false, name);
  if (invariant != nullptr) builder.set_shape(enter, *invariant);
  // An initial value that is an invariant of an outer loop would enter in that loop's last iteration as well.
  const WhileContext* around = EnclosingWhile(outer());
  if (around != nullptr && IsConstantEnter(builder.graph().node(initial.node))) {
    builder.AddControlInput(enter.node, around->Pivot());
  }
  enters_.push_back(enter);
  InContext here(builder, this);
  const bool is_ref = IsRef(builder.graph().TypeOf(enter));
  const Endpoint merge = NamedCall(builder, is_ref ? "RefMerge" : "Merge", {enter, enter}, {}, name);
  builder.set_shape(merge, builder.shape(enter));
  if (predicate_pivot_ == NodeId::kNone) predicate_pivot_ = merge.node;
  return {enter, merge};
}

Endpoint WhileContext::SetCondition(GraphBuilder& builder, Endpoint condition, const std::string& name) {
  InContext here(builder, this);
  condition_ = NamedCall(builder, "LoopCond", {condition}, {}, name);
  return condition_;
}

NodeId WhileContext::Branch(GraphBuilder& builder, Endpoint merge) {
  InContext here(builder, this);
  const NodeId loop_switch = builder.Add(SwitchOp(builder, merge), {merge, condition_});
  for (const int side : {0, 1}) builder.set_shape({loop_switch, side}, builder.shape(merge));
  return loop_switch;
}

Endpoint WhileContext::Leave(GraphBuilder& builder, Endpoint value, const std::string& name) {
  InContext here(builder, this);
  const bool is_ref = IsRef(builder.graph().TypeOf(value));
  const Endpoint exit = NamedCall(builder, is_ref ? "RefExit" : "Exit", {value}, {}, name);
  builder.set_shape(exit, builder.shape(value));
  exits_.push_back(exit);
  return exit;
}

Endpoint WhileContext::CloseLoop(GraphBuilder& builder, Endpoint merge, Endpoint value) {
  InContext here(builder, this);
  const bool is_ref = IsRef(builder.graph().TypeOf(value)) && IsRef(builder.graph().TypeOf(merge));
  const Endpoint next = builder.Call(is_ref ? "RefNextIteration" : "NextIteration", {value});
  builder.SetInput(merge.node, 1, next);
  return next;
}

}  // namespace plumb
