#include "fastpath/compile/aliases.h"

#include <algorithm>

#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

// Whether the node could hand an input on as it came. What computes makes something new; an op that looks as if it
// computed, but has one operand only, may find that there is nothing to do: a sum over no axes, a cast to the same
// type.
bool MayForward(const StepNode& node) {
  if (node.kind == NodeKind::kConstant || node.kind == NodeKind::kFeed || node.kind == NodeKind::kFetch) return false;
  if (node.op == nullptr || node.kind != NodeKind::kKernel) return true;
  if (node.op->op->accuracy.kind == AccuracyClass::kExact) return true;
  const auto operands = std::count_if(node.input_types.begin(), node.input_types.end(), [&](DType type) {
    return !node.output_types.empty() && Base(type) == Base(node.output_types[0]);
  });
  return operands <= 1;
}

bool YieldsReference(const StepNode& node) {
  return std::any_of(node.output_types.begin(), node.output_types.end(), [](DType type) { return IsRef(type); });
}

}  // namespace

std::vector<bool> FindAliases(const StepGraph& graph) {
  std::vector<bool> may_alias(graph.nodes.size());
  for (bool changed = true; changed;) {  // again for back edges
    changed = false;
    for (int i = 0; i < graph.size(); ++i) {
      const StepNode& node = graph.nodes[i];
      if (may_alias[i]) continue;
      const bool reads = std::any_of(node.inputs.begin(), node.inputs.end(),
                                     [&](const Endpoint& input) { return may_alias[Index(input.node)]; });
      if (YieldsReference(node) || (reads && MayForward(node))) may_alias[i] = changed = true;
    }
  }
  return may_alias;
}

}  // namespace plumb::fast
