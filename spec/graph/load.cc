// Graph::Load: from a GraphDef as it is written to a checked Graph (rules G1–V3).
#include "spec/graph/function_library.h"
#include "spec/graph/fused_nodes.h"
#include "spec/graph/graph.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"
#include "spec/validate/devices.h"
#include "spec/validate/signatures.h"
#include "spec/validate/structure.h"

namespace plumb {
namespace {

using NameIndex = std::unordered_map<std::string, NodeId>;

// G1, G7: names are well formed and used once.
NameIndex IndexNames(const GraphDef& def) {
  Require(def.nodes.size() <= INT32_MAX, "the graph has too many nodes");
  NameIndex by_name;
  by_name.reserve(def.nodes.size());
  for (const NodeDef& node : def.nodes) {
    CheckNodeName(node.name, NameOrigin::kUser);
    Require(by_name.emplace(node.name, NodeId(static_cast<int>(by_name.size()))).second, "the node name '", node.name,
            "' is used twice");
  }
  return by_name;
}

std::vector<Node> ResolveNodes(const GraphDef& def, const FunctionLibrary* functions) {
  std::vector<Node> nodes;
  nodes.reserve(def.nodes.size());
  size_t outputs = 0;
  for (const NodeDef& node : def.nodes) {
    nodes.push_back(ResolveNode(node, functions));
    CheckDeprecation(nodes.back(), def.versions.producer);
    // Before there are many of them: N = 65536 takes some bytes in a file, and its types take 256 KiB.
    Require(nodes.back().input_types.size() <= node.inputs.size(), "node '", node.name, "' of the op '", node.op,
            "' takes ", nodes.back().input_types.size(), " inputs and has ", node.inputs.size());
    nodes.back().id = NodeId(static_cast<int>(nodes.size()) - 1);
    outputs += nodes.back().output_types.size();
    Require(outputs <= MostOutputs(def.nodes.size()), "node '", node.name,
            "': the graph's nodes have more outputs than a graph of its size may have");
  }
  return nodes;
}

NodeId FindInput(const NameIndex& by_name, const Node& node, const std::string& input) {
  const auto found = by_name.find(input);
  Require(found != by_name.end(), "node '", node.name, "' has the unknown input node '", input, "'");
  return found->second;
}

void ConnectInputs(const NodeDef& def, const NameIndex& by_name, Node& node) {
  const NamedInputs inputs = ParseInputs(def);
  for (const TensorName& input : inputs.data) {
    node.inputs.push_back({FindInput(by_name, node, input.node), input.output});
  }
  for (const std::string& before : inputs.control) node.control_inputs.push_back(FindInput(by_name, node, before));
  RemoveRepetitions(node.control_inputs);
}

}  // namespace

Graph Graph::Load(const GraphDef& def) {
  CheckVersions(def.versions);
  Graph graph;
  graph.versions_ = def.versions;
  graph.library_ = def.library;
  graph.by_name_ = IndexNames(def);
  if (!def.library.empty()) graph.functions_ = FunctionLibrary::Parse(def.library);
  graph.nodes_ = ResolveNodes(def, graph.functions_.get());
  for (size_t i = 0; i < def.nodes.size(); ++i) ConnectInputs(def.nodes[i], graph.by_name_, graph.nodes_[i]);
  for (const Node& node : graph.nodes_) CheckEdges(graph, node);
  TakeFusedNodesApart(graph);
  CheckCycles(graph);
  CheckDevices(graph);
  return graph;
}

}  // namespace plumb
