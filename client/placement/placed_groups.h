// Nodes of a graph that lie together whatever they cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb {

// Those that name each other in "_class" (rule W11); whoever hands on a reference or a handle, and whoever takes it or
// its value; all nodes of a loop and of those inside it.
class PlacedGroups {
 public:
  explicit PlacedGroups(const Graph& graph);

  int size() const { return static_cast<int>(members_.size()); }
  int Of(NodeId node) const { return group_of_[Index(node)]; }
  // In the order of the graph.
  const std::vector<NodeId>& members(int group) const { return members_[group]; }
  // What its nodes ask for together; "" where they ask for nothing.
  const std::string& request(int group) const { return requests_[group]; }

 private:
  std::vector<int> group_of_;
  std::vector<std::vector<NodeId>> members_;
  std::vector<std::string> requests_;
};

}  // namespace plumb
