#include "fastpath/compile/plan/priorities.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace plumb::fast {
namespace {

// Longest way from each node to a node without consumers, counting kernels as much and moves as little.
std::vector<int64_t> Urgency(const StepGraph& graph, const std::vector<std::vector<StepEdge>>& edges) {
  constexpr int64_t kKernelCost = 16, kMoveCost = 1;
  std::vector<int64_t> urgency(graph.nodes.size(), 0);
  const auto order = TopologicalOrder(graph);
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    int64_t rest = 0;
    for (const StepEdge& edge : edges[Index(*id)]) rest = std::max(rest, urgency[Index(edge.consumer)]);
    urgency[Index(*id)] = rest + (graph[*id].kind == NodeKind::kKernel ? kKernelCost : kMoveCost);
  }
  return urgency;
}

}  // namespace

std::vector<NodeId> OrderByPriority(const StepGraph& graph) {
  const auto edges = OutEdges(graph);
  const auto urgency = Urgency(graph, edges);
  const auto is_back_edge = [&](NodeId from, NodeId to) {
    return graph[from].kind == NodeKind::kNextIteration && graph[to].kind == NodeKind::kMerge;
  };
  std::vector<int> waiting(graph.nodes.size(), 0);
  for (int i = 0; i < graph.size(); ++i) {
    for (const StepEdge& edge : edges[i]) waiting[Index(edge.consumer)] += !is_back_edge(NodeId(i), edge.consumer);
  }
  std::priority_queue<std::pair<int64_t, int>> ready;  // urgency, then the smaller position
  const auto push = [&](int i) { ready.push({urgency[i], -i}); };
  for (int i = 0; i < graph.size(); ++i) {
    if (waiting[i] == 0) push(i);
  }
  std::vector<NodeId> order;
  order.reserve(graph.nodes.size());
  while (!ready.empty()) {
    const int i = -ready.top().second;
    ready.pop();
    order.push_back(NodeId(i));
    for (const StepEdge& edge : edges[i]) {
      if (is_back_edge(NodeId(i), edge.consumer)) continue;
      if (--waiting[Index(edge.consumer)] == 0) push(static_cast<int>(Index(edge.consumer)));
    }
  }
  return order;
}

}  // namespace plumb::fast
