#include "client/embedding/beside.h"

#include <vector>

#include "client/gradients.h"
#include "spec/graph/variable_type.h"

namespace plumb {
namespace {

constexpr char kColocation[] = "_class";

// The variable that a value is read of, or else who computes the value.
NodeId SourceOf(const Graph& graph, Endpoint table) {
  if (graph.TypeOf(table) == DType::kResource) return SourceOfHandle(graph, table).node;
  const std::vector<Endpoint>& read = graph.node(table.node).inputs;
  if (read.size() != 1) return table.node;
  const DType type = graph.TypeOf(read[0]);
  return IsRef(type) || type == DType::kResource ? SourceOf(graph, read[0]) : table.node;
}

}  // namespace

Beside::Beside(Scope& scope, Output table, Gradients gradients)
    : builder_(scope.builder()),
      source_(SourceOf(builder_.graph(), table)),
      gradients_(gradients),
      first_(builder_.graph().size()) {
  const std::string device = builder_.graph().node(source_).device;
  if (!device.empty()) there_.emplace(builder_, device);
}

Beside::~Beside() {
  const Graph& graph = builder_.graph();
  const std::string device = graph.node(source_).device;
  const std::vector<std::string> group = {"loc:@" + graph.node(source_).name};
  for (int i = first_; i < graph.size(); ++i) {
    const Node& node = graph.node(NodeId(i));
    if (node.device == device && !node.attrs.contains(kColocation)) builder_.SetAttr(node.id, kColocation, group);
    if (gradients_ == Gradients::kBeside) builder_.SetAttr(NodeId(i), kGradientBeside, true);
  }
}

}  // namespace plumb
