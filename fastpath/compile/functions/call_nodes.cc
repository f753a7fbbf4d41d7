#include "fastpath/compile/functions/call_nodes.h"

#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"
#include "spec/validate/signatures.h"

namespace plumb::fast {

NodeId CallNodes::Add(std::shared_ptr<const Node> node, std::vector<Endpoint> inputs, std::vector<NodeId> controls) {
  StepNode step;
  step.kind = KindOf(*node->op);
  step.name = node->name;
  step.op = node.get();
  step.inputs = std::move(inputs);
  step.controls = std::move(controls);
  step.input_types = node->input_types;
  step.output_types = node->output_types;
  if (step.kind == NodeKind::kConstant) {
    step.value = GetAttr<Tensor>(node->attrs, "value");
    Require(step.value.dtype() == node->output_types[0], "node '", node->name, "': its value has the type ",
            DTypeName(step.value.dtype()), ", its dtype attribute says ", DTypeName(node->output_types[0]));
  }
  graph_.made.push_back(std::move(node));
  return graph_.Add(std::move(step));
}

NodeId CallNodes::Helper(const Node& call, const std::string& role, const std::string& op, AttrMap attrs,
                         std::vector<Endpoint> inputs, std::vector<NodeId> controls) {
  NodeDef def;
  def.name = Str(call.name, "::", role);
  def.op = op;
  def.device = call.device;
  def.attrs = std::move(attrs);
  return Add(std::make_shared<const Node>(ResolveNode(def)), std::move(inputs), std::move(controls));
}

Endpoint CallNodes::Identity(const Node& call, const std::string& role, Endpoint value, std::vector<NodeId> controls) {
  const DType type = Base(graph_.TypeOf(value));
  return {Helper(call, role, "Identity", {{"T", type}}, {value}, std::move(controls)), 0};
}

Endpoint CallNodes::Switch(const Node& call, const std::string& role, Endpoint value, Endpoint predicate) {
  const DType type = Base(graph_.TypeOf(value));
  return {Helper(call, role, "Switch", {{"T", type}}, {value, predicate}), 0};
}

bool IsCallNode(const StepNode& node) {
  return node.op != nullptr && node.kind == NodeKind::kKernel && IsCall(node.op->op->kind);
}

}  // namespace plumb::fast
