// The graph IR: nodes with resolved op definitions, types and edges. Everything after loading works on this.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spec/core/attr.h"
#include "spec/graph/graph_def.h"

namespace plumb {

struct OpDef;           // spec/ops/op_def.h
class FunctionLibrary;  // spec/graph/function_library.h

// Position of a node in its Graph.
enum class NodeId : int32_t { kNone = -1 };
constexpr size_t Index(NodeId id) { return static_cast<size_t>(id); }

// One output of one node: where a data edge starts.
struct Endpoint {
  NodeId node = NodeId::kNone;
  int32_t output = 0;
  bool operator==(const Endpoint&) const = default;
  auto operator<=>(const Endpoint&) const = default;  // NOLINT(modernize-use-nullptr): the check misreads it
};

struct Node {
  NodeId id = NodeId::kNone;
  std::string name;
  const OpDef* op = nullptr;
  std::string device;  // as requested, may be partial or empty
  AttrMap attrs;       // with the op's defaults filled in (rule A1)
  std::vector<Endpoint> inputs;
  std::vector<NodeId> control_inputs;  // without repetitions (rule G5)
  std::vector<DType> input_types;      // what the signature asks for; ref types as such (rules T1, T2)
  std::vector<DType> output_types;

  bool IsOp(std::string_view name) const;
};

// A tensor name taken apart (rule G2): "a:1" → {a, 1, false}, "^a" → {a, 0, true}. Throws kInvalidArgument ("^a:0",
// "").
struct TensorName {
  std::string node;
  int output = 0;
  bool control = false;
  std::string ToString() const;  // canonical: "a", "a:1", "^a"
};
TensorName ParseTensorName(std::string_view text);

class Graph {
 public:
  // Checks everything that TensorFlow checks before it runs a graph (rules G1–V3) and resolves names and types.
  // Throws Error with TensorFlow's code; the message names the node, the input and the reason.
  static Graph Load(const GraphDef& def);

  int size() const { return static_cast<int>(nodes_.size()); }
  const Node& node(NodeId id) const { return nodes_[Index(id)]; }
  std::span<const Node> nodes() const { return nodes_; }
  std::optional<NodeId> Find(std::string_view name) const;
  const VersionDef& versions() const { return versions_; }
  const std::string& library() const { return library_; }
  // The library's functions, as typed bodies; null when it has none.
  const std::shared_ptr<const FunctionLibrary>& functions() const { return functions_; }

  DType TypeOf(Endpoint endpoint) const { return node(endpoint.node).output_types[endpoint.output]; }
  // "node" or "node:1".
  std::string NameOf(Endpoint endpoint) const;

  // For builders and compile passes. Add resolves op, defaults and types of `def`, whose `inputs` are ignored in favour
  // of the given edges; it throws as Load does. Edges of existing nodes change through Edit.
  NodeId Add(const NodeDef& def, std::vector<Endpoint> inputs, std::vector<NodeId> control_inputs) {
    return Append(Prepare(def, std::move(inputs), std::move(control_inputs)));
  }
  // Add in two steps: the checked node, and its joining the graph.
  Node Prepare(const NodeDef& def, std::vector<Endpoint> inputs, std::vector<NodeId> control_inputs) const;
  NodeId Append(Node node);
  Node& Edit(NodeId id) { return nodes_[Index(id)]; }
  void set_versions(VersionDef versions) { versions_ = std::move(versions); }
  void set_library(std::string library) { library_ = std::move(library); }
  void set_functions(std::shared_ptr<const FunctionLibrary> functions) { functions_ = std::move(functions); }

  // The graph written down again; nodes in order. Load(ToDef()) gives an equal graph.
  GraphDef ToDef() const;

 private:
  std::vector<Node> nodes_;
  std::unordered_map<std::string, NodeId> by_name_;
  VersionDef versions_;
  std::string library_;
  std::shared_ptr<const FunctionLibrary> functions_;
};

// Who uses a node's outputs: rebuilt on demand, never kept up to date.
struct Edge {
  NodeId consumer;
  int32_t input;   // index of the data input, or -1 for a control edge
  int32_t output;  // index of the producer's output, or -1 for a control edge
};
std::vector<std::vector<Edge>> OutEdges(const Graph& graph);

// Every node after its inputs; back edges NextIteration → Merge are ignored. Ties keep the order of the nodes.
std::vector<NodeId> TopologicalOrder(const Graph& graph);

// The nodes from which one of `roots` is reachable backwards along data and control edges (rule F23).
std::vector<bool> ReachableBackwards(const Graph& graph, std::span<const NodeId> roots);

}  // namespace plumb
