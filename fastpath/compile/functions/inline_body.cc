#include "fastpath/compile/functions/inline_body.h"

#include <map>

#include "fastpath/compile/functions/loop_effects.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

class BodyInliner {
 public:
  BodyInliner(CallNodes& nodes, const Node& call, const std::string& label, const FunctionBody& body,
              const std::vector<Endpoint>& args)
      : nodes_(nodes), call_(call), label_(label), body_(body), args_(args), ids_(body.graph.size(), NodeId::kNone) {
    for (size_t i = 0; i < body.args.size(); ++i) arg_of_[body.args[i]] = i;
    arg_nodes_.resize(args.size(), NodeId::kNone);
  }

  InlinedBody Run(NodeId pivot, bool pivot_for_all) {
    AddNeeded();
    InlinedBody inlined;
    for (const Node& node : body_.graph.nodes()) {
      const NodeId id = ids_[Index(node.id)];
      if (id == NodeId::kNone) continue;
      Connect(node, id);
      StepNode& step = nodes_.graph()[id];
      const bool is_source = step.inputs.empty() && step.controls.empty();
      if (is_source && pivot != NodeId::kNone && (pivot_for_all || node.op->is_stateful)) step.controls = {pivot};
      if (IsCallNode(step)) inlined.calls.push_back(id);
    }
    for (const Endpoint result : body_.results) inlined.results.push_back(ValueOf(result));
    inlined.effects = EffectsOutsideLoops(nodes_, call_, label_, body_, ids_);
    return inlined;
  }

 private:
  void AddNeeded() {
    const std::string path = PathInto(call_.name, label_);
    const std::vector<bool> needed = body_.Needed();
    for (const Node& node : body_.graph.nodes()) {
      if (!needed[Index(node.id)] || arg_of_.contains(node.id)) continue;
      ids_[Index(node.id)] = nodes_.Add(std::make_shared<const Node>(InCall(node, path, call_)), {}, {});
    }
  }

  Endpoint ValueOf(Endpoint value) const {
    const auto arg = arg_of_.find(value.node);
    return arg != arg_of_.end() ? args_[arg->second] : Endpoint{ids_[Index(value.node)], value.output};
  }

  // For control edges, which look at nodes (rule X3): an argument may be an output of a Switch.
  NodeId NodeOf(NodeId id) {
    const auto arg = arg_of_.find(id);
    if (arg == arg_of_.end()) return ids_[Index(id)];
    NodeId& made = arg_nodes_[arg->second];
    if (made == NodeId::kNone) {
      made = nodes_.Identity(call_, Str(label_, ":arg", arg->second), args_[arg->second]).node;
    }
    return made;
  }

  void Connect(const Node& node, NodeId id) {
    std::vector<Endpoint> inputs;
    for (const Endpoint input : node.inputs) inputs.push_back(ValueOf(input));
    std::vector<NodeId> controls;
    for (const NodeId before : node.control_inputs) controls.push_back(NodeOf(before));
    StepNode& step = nodes_.graph()[id];
    step.inputs = std::move(inputs);
    step.controls = std::move(controls);
  }

  CallNodes& nodes_;
  const Node& call_;
  const std::string& label_;
  const FunctionBody& body_;
  const std::vector<Endpoint>& args_;
  std::vector<NodeId> ids_;  // of the body's nodes in the step
  std::map<NodeId, size_t> arg_of_;
  std::vector<NodeId> arg_nodes_;
};

}  // namespace

InlinedBody InlineBody(CallNodes& nodes, const Node& call, const std::string& label, const FunctionBody& body,
                       const std::vector<Endpoint>& args, NodeId pivot, bool pivot_for_all) {
  return BodyInliner(nodes, call, label, body, args).Run(pivot, pivot_for_all);
}

}  // namespace plumb::fast
