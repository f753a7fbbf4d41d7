#include "client/gradient_path.h"

#include <algorithm>
#include <deque>

#include "client/zeros.h"

namespace plumb {
namespace {

std::vector<bool> MarkReached(const Graph& graph, const std::vector<Endpoint>& xs) {
  const auto out_edges = OutEdges(graph);
  std::vector<bool> reached(graph.size());
  std::vector<NodeId> open;
  open.reserve(xs.size());
  for (const Endpoint& x : xs) open.push_back(x.node);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (reached[Index(id)]) continue;
    reached[Index(id)] = true;
    for (const Edge& edge : out_edges[Index(id)]) {
      if (edge.output >= 0 && IsTrainable(graph.TypeOf({id, edge.output}))) open.push_back(edge.consumer);
    }
  }
  return reached;
}

}  // namespace

GradientPath::GradientPath(const Graph& graph, const std::vector<Endpoint>& ys, const std::vector<Endpoint>& xs)
    : is_between(graph.size()), reached(MarkReached(graph, xs)) {
  std::deque<NodeId> open;
  for (const Endpoint& y : ys) open.push_back(y.node);
  while (!open.empty()) {
    const NodeId id = open.front();
    open.pop_front();
    if (!reached[Index(id)] || is_between[Index(id)]) continue;
    AddBetween(id);
    for (const Endpoint& input : graph.node(id).inputs) open.push_back(input.node);
  }
}

void GradientPath::AddBetween(NodeId node) {
  if (Index(node) >= is_between.size()) is_between.resize(Index(node) + 1);
  if (is_between[Index(node)]) return;
  is_between[Index(node)] = true;
  between.push_back(node);
}

void GradientPath::CountPending(const Graph& graph) {
  is_between.resize(graph.size());
  pending.assign(graph.size(), 0);
  for (const NodeId id : between) {
    for (const Endpoint& input : graph.node(id).inputs) {
      if (is_between[Index(input.node)]) ++pending[Index(input.node)];
    }
  }
}

std::vector<bool> StopOps(const Graph& graph, const GradientPath& path, const std::vector<Endpoint>& xs,
                          const std::vector<Endpoint>& stop_gradients) {
  std::vector<bool> stops(graph.size());
  for (const Endpoint& x : xs) {
    const std::vector<Endpoint>& inputs = graph.node(x.node).inputs;
    stops[Index(x.node)] = std::none_of(inputs.begin(), inputs.end(), [&](const Endpoint& input) {
      return Index(input.node) < path.pending.size() && path.pending[Index(input.node)] > 0;
    });
  }
  for (const Endpoint& stop : stop_gradients) stops[Index(stop.node)] = true;
  return stops;
}

}  // namespace plumb
