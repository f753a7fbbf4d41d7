#include <algorithm>
#include <queue>

#include "spec/graph/graph.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb {

std::vector<std::vector<Edge>> OutEdges(const Graph& graph) {
  std::vector<std::vector<Edge>> edges(graph.size());
  for (const Node& node : graph.nodes()) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      edges[Index(node.inputs[i].node)].push_back({node.id, static_cast<int32_t>(i), node.inputs[i].output});
    }
    for (const NodeId before : node.control_inputs) edges[Index(before)].push_back({node.id, -1, -1});
  }
  return edges;
}

std::vector<NodeId> TopologicalOrder(const Graph& graph) {
  const auto is_back_edge = [&](const Node& consumer, NodeId producer) {
    return IsMerge(consumer) && IsNextIteration(graph.node(producer));
  };
  const auto out_edges = OutEdges(graph);
  std::vector<size_t> pending(graph.size());
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
  for (const Node& node : graph.nodes()) {
    pending[Index(node.id)] = node.control_inputs.size();
    for (const Endpoint& input : node.inputs) pending[Index(node.id)] += is_back_edge(node, input.node) ? 0 : 1;
    if (pending[Index(node.id)] == 0) ready.push(node.id);
  }
  std::vector<NodeId> order;
  order.reserve(graph.size());
  while (!ready.empty()) {
    const NodeId id = ready.top();
    ready.pop();
    order.push_back(id);
    for (const Edge& edge : out_edges[Index(id)]) {
      if (edge.input >= 0 && is_back_edge(graph.node(edge.consumer), id)) continue;
      if (--pending[Index(edge.consumer)] == 0) ready.push(edge.consumer);
    }
  }
  return order;
}

std::vector<bool> ReachableBackwards(const Graph& graph, std::span<const NodeId> roots) {
  std::vector<bool> reached(graph.size());
  std::vector<NodeId> open;
  const auto reach = [&](NodeId id) {
    if (reached[Index(id)]) return;
    reached[Index(id)] = true;
    open.push_back(id);
  };
  for (const NodeId root : roots) reach(root);
  while (!open.empty()) {
    const Node& node = graph.node(open.back());
    open.pop_back();
    for (const Endpoint& input : node.inputs) reach(input.node);
    for (const NodeId before : node.control_inputs) reach(before);
  }
  return reached;
}

}  // namespace plumb
