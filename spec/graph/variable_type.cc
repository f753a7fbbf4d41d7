#include "spec/graph/variable_type.h"

#include <algorithm>
#include <array>

namespace plumb {

std::optional<VariableType> FindVariableType(const Graph& graph, Endpoint handle) {
  static constexpr std::array<std::string_view, 5> kForwarding = {"Identity", "Enter", "Exit", "Switch",
                                                                  "NextIteration"};
  const Node* node = &graph.node(handle.node);
  for (int steps = 0; steps < graph.size(); ++steps) {
    const bool forwards = std::any_of(kForwarding.begin(), kForwarding.end(), [&](auto op) { return node->IsOp(op); });
    if (!forwards || node->inputs.empty() || node->inputs[0].node == NodeId::kNone) break;
    node = &graph.node(node->inputs[0].node);
  }
  if (!node->IsOp("VarHandleOp")) return std::nullopt;
  return VariableType{GetAttr<DType>(node->attrs, "dtype"), GetAttr<PartialShape>(node->attrs, "shape")};
}

}  // namespace plumb
