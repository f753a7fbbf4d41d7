// Adds nodes to a step's graph that no session's graph has: those of functions' bodies, and those that hold a call
// together.
#pragma once

#include <string>
#include <vector>

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

class CallNodes {
 public:
  explicit CallNodes(StepGraph& graph) : graph_(graph) {}

  StepGraph& graph() { return graph_; }
  NodeId Add(std::shared_ptr<const Node> node, std::vector<Endpoint> inputs, std::vector<NodeId> controls);
  // A node that holds the call together, "call::role". Names of bodies' nodes never begin with ':'.
  NodeId Helper(const Node& call, const std::string& role, const std::string& op, AttrMap attrs,
                std::vector<Endpoint> inputs, std::vector<NodeId> controls = {});
  Endpoint Identity(const Node& call, const std::string& role, Endpoint value, std::vector<NodeId> controls = {});
  Endpoint Switch(const Node& call, const std::string& role, Endpoint value, Endpoint predicate);

 private:
  StepGraph& graph_;
};

// Whether the node calls a function.
bool IsCallNode(const StepNode& node);

}  // namespace plumb::fast
