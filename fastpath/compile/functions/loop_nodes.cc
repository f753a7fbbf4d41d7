#include "fastpath/compile/functions/loop_nodes.h"

#include "fastpath/compile/functions/pass_kernels.h"

namespace plumb::fast {

LoopNodes::LoopNodes(CallNodes& nodes, const Node& call, const std::vector<Endpoint>& initial,
                     int64_t parallel_iterations)
    : nodes_(nodes), call_(call) {
  for (size_t i = 0; i < initial.size(); ++i) {
    const DType type = Base(nodes.graph().TypeOf(initial[i]));
    const AttrMap attrs = {
        {"T", type}, {"frame_name", Str(call.name, "::loop")}, {"parallel_iterations", parallel_iterations}};
    const NodeId enter = nodes.Helper(call, Str("enter", i), "Enter", attrs, {initial[i]});
    merges_.push_back(
        {nodes.Helper(call, Str("merge", i), "Merge", {{"T", type}, {"N", 2}}, {{enter, 0}, {enter, 0}}), 0});
  }
}

void LoopNodes::Decide(Endpoint value, std::vector<NodeId> controls) {
  StepGraph& graph = nodes_.graph();
  StepNode decider;
  decider.name = Str(call_.name, "::decide");
  SetBranchKernel(decider, call_, 1);
  decider.inputs = {value};
  decider.controls = std::move(controls);
  decider.input_types = {Base(graph.TypeOf(value))};
  decider.output_types = {DType::kBool};
  const NodeId decided = graph.Add(std::move(decider));
  const Endpoint predicate = {nodes_.Helper(call_, "predicate", "LoopCond", {}, {{decided, 0}}), 0};
  for (size_t i = 0; i < merges_.size(); ++i) {
    const NodeId chosen = nodes_.Switch(call_, Str("switch", i), merges_[i], predicate).node;
    const DType type = Base(graph.TypeOf(merges_[i]));
    in_turn_.push_back(nodes_.Identity(call_, Str("variable", i), {chosen, 1}));
    exits_.push_back({nodes_.Helper(call_, Str("exit", i), "Exit", {{"T", type}}, {{chosen, 0}}), 0});
  }
}

void LoopNodes::Next(int variable, Endpoint value, const std::vector<NodeId>& waits) {
  const Endpoint result = nodes_.Identity(call_, Str("result", variable), value, waits);
  const AttrMap attrs = {{"T", nodes_.graph().TypeOf(result)}};
  const NodeId next = nodes_.Helper(call_, Str("next", variable), "NextIteration", attrs, {result});
  nodes_.graph()[now(variable).node].inputs[1] = {next, 0};
}

}  // namespace plumb::fast
