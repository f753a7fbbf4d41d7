#include "spec/graph/graph.h"

#include <limits>

#include "spec/ops/op_def.h"
#include "spec/validate/signatures.h"
#include "spec/validate/structure.h"

namespace plumb {

bool Node::IsOp(std::string_view wanted) const { return op->name == wanted; }

std::optional<NodeId> Graph::Find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

std::string Graph::NameOf(Endpoint endpoint) const {
  return TensorName{node(endpoint.node).name, endpoint.output}.ToString();
}

Node Graph::Prepare(const NodeDef& def, std::vector<Endpoint> inputs, std::vector<NodeId> control_inputs) const {
  CheckNodeName(def.name, NameOrigin::kRuntime);
  Node node = ResolveNode(def, functions_.get());
  CheckDeprecation(node, versions_.producer);
  node.inputs = std::move(inputs);
  node.control_inputs = std::move(control_inputs);
  RemoveRepetitions(node.control_inputs);
  CheckEdges(*this, node);
  return node;
}

NodeId Graph::Append(Node node) {
  Require(nodes_.size() < static_cast<size_t>(std::numeric_limits<int32_t>::max()), "the graph has too many nodes");
  node.id = NodeId(size());
  Require(by_name_.emplace(node.name, node.id).second, "the node name '", node.name, "' is used twice");
  nodes_.push_back(std::move(node));
  return nodes_.back().id;
}

GraphDef Graph::ToDef() const {
  GraphDef def;
  def.versions = versions_;
  def.library = library_;
  def.nodes.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    NodeDef& written = def.nodes.emplace_back();
    written.name = node.name;
    written.op = node.op->name;
    written.device = node.device;
    written.attrs = node.attrs;
    for (const Endpoint& input : node.inputs) written.inputs.push_back(NameOf(input));
    for (const NodeId before : node.control_inputs) written.inputs.push_back("^" + this->node(before).name);
  }
  return def;
}

}  // namespace plumb
