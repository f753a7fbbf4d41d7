#include "spec/graph/variable_type.h"

#include "spec/ops/op_def.h"

namespace plumb {
namespace {

// Whether the op gives its first input to an output, which may be a handle.
bool Forwards(OpKind kind) {
  switch (kind) {
    case OpKind::kIdentity:
    case OpKind::kSwitch:
    case OpKind::kEnter:
    case OpKind::kExit:
    case OpKind::kNextIteration:
      return true;
    default:
      return false;
  }
}

}  // namespace

Endpoint SourceOfHandle(const Graph& graph, Endpoint handle) {
  for (int steps = 0; steps < graph.size(); ++steps) {
    const Node& node = graph.node(handle.node);
    if (!Forwards(node.op->kind) || node.inputs.empty() || node.inputs[0].node == NodeId::kNone) break;
    handle = node.inputs[0];
  }
  return handle;
}

std::optional<VariableType> FindVariableType(const Graph& graph, Endpoint handle) {
  const Node& node = graph.node(SourceOfHandle(graph, handle).node);
  if (node.op->HandleKind(0) != "Variable") return std::nullopt;
  return VariableType{GetAttr<DType>(node.attrs, "dtype"), GetAttr<PartialShape>(node.attrs, "shape")};
}

}  // namespace plumb
