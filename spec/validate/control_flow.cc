#include "spec/validate/control_flow.h"

#include <algorithm>

#include "spec/ops/op_def.h"

namespace plumb {
namespace {

// Whether a Merge closes a loop: one of its inputs is a back edge.
bool ClosesLoop(const Graph& graph, const Node& node) {
  return IsMerge(node) && std::any_of(node.inputs.begin(), node.inputs.end(),
                                      [&](const Endpoint& input) { return IsNextIteration(graph.node(input.node)); });
}

bool IsBackEdge(const Graph& graph, const Node& consumer, NodeId producer) {
  return IsMerge(consumer) && IsNextIteration(graph.node(producer));
}

// What a node that closes a loop waits for: its control inputs and one data input (rule G9); others wait for all.
// Returns which nodes can be built in some order.
std::vector<bool> Constructible(const Graph& graph) {
  const auto out_edges = OutEdges(graph);
  std::vector<size_t> pending(graph.size());
  std::vector<bool> any_data(graph.size());
  std::vector<NodeId> ready;
  for (const Node& node : graph.nodes()) {
    any_data[Index(node.id)] = ClosesLoop(graph, node);
    pending[Index(node.id)] = node.control_inputs.size() + (any_data[Index(node.id)] ? 1 : node.inputs.size());
    if (pending[Index(node.id)] == 0) ready.push_back(node.id);
  }
  std::vector<bool> data_seen(graph.size());
  std::vector<bool> built(graph.size());
  while (!ready.empty()) {
    const NodeId id = ready.back();
    ready.pop_back();
    built[Index(id)] = true;
    for (const Edge& edge : out_edges[Index(id)]) {
      const size_t consumer = Index(edge.consumer);
      const bool repeated = edge.input >= 0 && any_data[consumer] && data_seen[consumer];
      if (edge.input >= 0) data_seen[consumer] = true;
      if (!repeated && --pending[consumer] == 0) ready.push_back(edge.consumer);
    }
  }
  return built;
}

// A cycle among the nodes that are not `built`, each followed by one that it waits for. Such a node has one along the
// edges that `follow` accepts.
template <class Follow>
std::vector<NodeId> FindCycle(const Graph& graph, const std::vector<bool>& built, Follow follow) {
  std::vector<int> position(built.size(), -1);
  std::vector<NodeId> path;
  NodeId at = NodeId(static_cast<int>(std::find(built.begin(), built.end(), false) - built.begin()));
  while (position[Index(at)] < 0) {
    position[Index(at)] = static_cast<int>(path.size());
    path.push_back(at);
    const Node& node = graph.node(at);
    const auto blocks = [&](NodeId id) { return !built[Index(id)]; };
    const auto data = std::find_if(node.inputs.begin(), node.inputs.end(),
                                   [&](Endpoint e) { return blocks(e.node) && follow(node, e.node); });
    at = data != node.inputs.end() ? data->node
                                   : *std::find_if(node.control_inputs.begin(), node.control_inputs.end(), blocks);
  }
  return {path.begin() + position[Index(at)], path.end()};
}

std::string Describe(const Graph& graph, const std::vector<NodeId>& cycle) {
  constexpr size_t kShown = 8;
  std::string text;
  for (size_t i = 0; i < std::min(cycle.size(), kShown); ++i) text += Str("'", graph.node(cycle[i]).name, "' <- ");
  return text +
         (cycle.size() > kShown ? Str("… (", cycle.size(), " nodes)") : Str("'", graph.node(cycle[0]).name, "'"));
}

// The nodes that have an order once the back edges NextIteration → Merge are taken away.
std::vector<bool> Ordered(const Graph& graph) {
  std::vector<bool> ordered(graph.size());
  for (const NodeId id : TopologicalOrder(graph)) ordered[Index(id)] = true;
  return ordered;
}

bool All(const std::vector<bool>& flags) { return std::find(flags.begin(), flags.end(), false) == flags.end(); }

}  // namespace

bool IsMerge(const Node& node) { return node.op->kind == OpKind::kMerge; }
bool IsNextIteration(const Node& node) { return node.op->kind == OpKind::kNextIteration; }
bool IsEnter(const Node& node) { return node.op->kind == OpKind::kEnter; }
bool IsExit(const Node& node) { return node.op->kind == OpKind::kExit; }
bool IsSwitch(const Node& node) { return node.op->kind == OpKind::kSwitch; }

void CheckCycles(const Graph& graph) {
  const std::vector<bool> ordered = Ordered(graph);
  if (!All(ordered)) {
    const auto cycle = FindCycle(
        graph, ordered, [&](const Node& consumer, NodeId producer) { return !IsBackEdge(graph, consumer, producer); });
    for (size_t i = 0; i < cycle.size(); ++i) {
      const Node& consumer = graph.node(cycle[i]);
      const Node& producer = graph.node(cycle[(i + 1) % cycle.size()]);
      Require(!IsNextIteration(producer), "node '", consumer.name, "' (", consumer.op->name, ") has a back edge from '",
              producer.name, "', but only Merge nodes can have back edges");
    }
    throw InvalidArgument("the graph has nodes in a cycle: ", Describe(graph, cycle));
  }
  const std::vector<bool> built = Constructible(graph);
  if (All(built)) return;
  const auto cycle = FindCycle(graph, built, [](const Node&, NodeId) { return true; });
  throw InvalidArgument("the graph has nodes in a cycle, a loop without entry: ", Describe(graph, cycle));
}

}  // namespace plumb
