#include "client/import.h"

#include <optional>
#include <utility>

#include "spec/graph/graph.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb {
namespace {

class Importer {
 public:
  Importer(GraphBuilder& builder, const Graph& graph, const ImportOptions& options)
      : builder_(builder), graph_(graph), new_ids_(graph.size(), NodeId::kNone) {
    for (const auto& [name, output] : options.replace) Replace(name, output);
  }

  void Run() {
    for (const Node& node : graph_.nodes()) {
      Require(!IsEnter(node) || builder_.context() == nullptr, "a graph with loops (here '", node.name,
              "') can only be imported outside of conditionals and loops");
    }
    for (const NodeId id : TopologicalOrder(graph_)) AddNode(graph_.node(id));
    for (const auto& [merge, input] : back_edges_) {
      builder_.SetInput(NewId(merge), input, NewInput(graph_.node(merge).inputs[input]));
    }
    for (const Node& node : graph_.nodes()) RenameColocation(node);
  }

  NodeId NewId(NodeId id) const { return new_ids_[Index(id)]; }

 private:
  void Replace(const std::string& name, const Output& output) {
    const TensorName wanted = ParseTensorName(name);
    const std::optional<NodeId> node = wanted.control ? std::nullopt : graph_.Find(wanted.node);
    const bool exists =
        node && std::cmp_less(wanted.output, graph_.node(*node).output_types.size()) && wanted.output >= 0;
    Require(exists, "the imported graph has no output '", name, "' that could be replaced");
    const Endpoint replaced = {*node, wanted.output};
    Require(Base(graph_.TypeOf(replaced)) == output.dtype(), "'", name, "' is ",
            DTypeName(Base(graph_.TypeOf(replaced))), " and cannot be replaced by '", output.name(), "', which is ",
            DTypeName(output.dtype()));
    replaced_.emplace(replaced, output);
  }

  void AddNode(const Node& node) {
    std::vector<Endpoint> inputs;
    inputs.reserve(node.inputs.size());
    for (size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(InputOrStandIn(node, static_cast<int>(i)));
    GraphBuilder::Options options;
    options.name = node.name;
    options.device = node.device;
    for (const NodeId before : node.control_inputs) options.control_inputs.push_back(NewId(before));
    AttrMap attrs = node.attrs;
    if (IsEnter(node)) attrs.insert_or_assign("frame_name", FrameName(GetAttr<std::string>(attrs, "frame_name")));
    new_ids_[Index(node.id)] = builder_.Add(node.op->name, inputs, std::move(attrs), std::move(options));
  }

  // X14: a frame's name tells it from all others, so a loop that is imported twice needs two.
  std::string FrameName(const std::string& frame) const {
    return builder_.scope().empty() ? frame : builder_.scope() + "/" + frame;
  }

  // A Merge is built before the NextIteration that closes its loop; until then its other input stands in.
  Endpoint InputOrStandIn(const Node& node, int input) {
    const Endpoint value = node.inputs[input];
    const bool open = !replaced_.contains(value) && NewId(value.node) == NodeId::kNone;
    if (!open) return NewInput(value);
    back_edges_.emplace_back(node.id, input);
    for (const Endpoint& other : node.inputs) {
      if (replaced_.contains(other) || NewId(other.node) != NodeId::kNone) return NewInput(other);
    }
    throw InvalidArgument("the Merge '", node.name, "' has no input from outside of its loop");
  }

  Endpoint NewInput(Endpoint value) const {
    const auto found = replaced_.find(value);
    return found == replaced_.end() ? Endpoint{NewId(value.node), value.output} : found->second;
  }

  // Colocation names nodes, which are called otherwise now.
  void RenameColocation(const Node& node) {
    const auto found = node.attrs.find("_class");
    if (found == node.attrs.end()) return;
    std::vector<std::string> groups = GetAttr<std::vector<std::string>>(node.attrs, "_class");
    for (std::string& group : groups) {
      constexpr std::string_view kPrefix = "loc:@";
      const auto with = group.starts_with(kPrefix) ? graph_.Find(group.substr(kPrefix.size())) : std::nullopt;
      if (with) group = Str(kPrefix, builder_.graph().node(NewId(*with)).name);
    }
    builder_.SetAttr(NewId(node.id), "_class", std::move(groups));
  }

  GraphBuilder& builder_;
  const Graph& graph_;
  std::vector<NodeId> new_ids_;
  std::map<Endpoint, Endpoint> replaced_;
  std::vector<std::pair<NodeId, int>> back_edges_;
};

}  // namespace

Output ImportedGraph::operator[](std::string_view output) const {
  const TensorName name = ParseTensorName(output);
  const NodeId node = Node(name.node);
  const size_t outputs = builder_->graph().node(node).output_types.size();
  Require(!name.control && name.output >= 0 && std::cmp_less(name.output, outputs), "the imported node '", name.node,
          "' has ", outputs, " outputs, and '", output, "' is none of them");
  return {builder_, Endpoint{node, name.output}};
}

NodeId ImportedGraph::Node(std::string_view name) const {
  const auto found = nodes_.find(name);
  Require(found != nodes_.end(), "the imported graph has no node '", name, "'");
  return found->second;
}

ImportedGraph ImportGraph(Scope& scope, const GraphDef& def, const ImportOptions& options) {
  const Graph graph = Graph::Load(def);
  GraphBuilder& builder = scope.builder();
  builder.LowerProducer(def.versions.producer);
  builder.AddFunctions(def.library);
  std::optional<GraphBuilder::NameScope> names;
  if (!options.name.empty()) names.emplace(builder, options.name);
  Importer importer(builder, graph, options);
  importer.Run();
  ImportedGraph imported;
  imported.builder_ = &builder;
  for (const Node& node : graph.nodes()) imported.nodes_.emplace(node.name, importer.NewId(node.id));
  return imported;
}

}  // namespace plumb
