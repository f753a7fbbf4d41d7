// Which ops lie between xs and ys, and how often each is waited for (rules D1, D2, D6).
#pragma once

#include <vector>

#include "spec/graph/builder.h"

namespace plumb {

struct GradientPath {
  std::vector<NodeId> between;   // in the order of discovery
  std::vector<bool> is_between;  // per node
  std::vector<bool> reached;     // per node: downstream of xs along trainable tensors
  std::vector<int> pending;      // per node: uses by ops in between that have not been differentiated yet

  GradientPath(const Graph& graph, const std::vector<Endpoint>& ys, const std::vector<Endpoint>& xs);
  // The exits of a loop belong to the path together.
  void AddBetween(NodeId node);
  void CountPending(const Graph& graph);
};

// Ops whose gradients are collected but not passed on (D6).
std::vector<bool> StopOps(const Graph& graph, const GradientPath& path, const std::vector<Endpoint>& xs,
                          const std::vector<Endpoint>& stop_gradients);

}  // namespace plumb
