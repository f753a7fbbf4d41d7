#include "fastpath/compile/placement/aliases.h"

#include <algorithm>

#include "fastpath/device/device.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_inputs.h"
#include "spec/ops/traits.h"

namespace plumb::fast {
namespace {

// Whether a value of one type may lie in the buffer of a value of the other.
bool CanShow(DType held, DType shown) { return held == shown || (IsPlain(held) && IsPlain(shown)); }

// Whether the node could hand an input on as it came. What computes from two operands makes something new; an op with
// one operand may find that there is nothing to do: a sum over no axes, a cast to the same type. What has a handle may
// give back what it was given, and so may a function. What has several outputs may hand several inputs on, and what
// chooses among inputs that it names one by one, any of them. A text is no part of a number's buffer.
bool MayForward(const StepNode& node) {
  if (node.kind == NodeKind::kConstant || node.kind == NodeKind::kFeed || node.kind == NodeKind::kFetch) return false;
  if (node.op == nullptr || node.kind != NodeKind::kKernel) return true;
  if (std::any_of(node.input_types.begin(), node.input_types.end(), LeadsToResource)) return true;
  if (node.output_types.empty() || node.op->op->fold.from_shapes != nullptr) return false;
  if (IsCall(node.op->op->kind)) return true;
  const bool hands_on = Has(*node.op->op, Trait::kHandsOn);
  if (hands_on && (node.output_types.size() > 1 || node.op->op->inputs.front().number_attr.empty())) return true;
  const std::vector<bool> says_shape =
      FindShapeInputs(*node.op->op, node.op->attrs, static_cast<int>(node.input_types.size()),
                      static_cast<int>(node.output_types.size()));
  if (std::none_of(node.input_types.begin(), node.input_types.end(),
                   [&](DType type) { return CanShow(type, node.output_types[0]); }))
    return false;
  int operands = 0;
  for (size_t i = 0; i < node.input_types.size(); ++i) {
    operands += !says_shape[i] && node.input_types[i] == node.output_types[0];
  }
  return operands <= 1;
}

bool LeadsToAliases(const StepNode& node) {
  return std::any_of(node.output_types.begin(), node.output_types.end(), [](DType type) { return IsRef(type); }) ||
         (node.op != nullptr && GetAttrOr<bool>(node.op->attrs, kHoldsAliases, false));
}

}  // namespace

std::vector<bool> FindAliases(const StepGraph& graph) {
  std::vector<bool> may_alias(graph.nodes.size());
  for (bool changed = true; changed;) {  // again for back edges
    changed = false;
    for (int i = 0; i < graph.size(); ++i) {
      const StepNode& node = graph.nodes[i];
      const bool reads = std::any_of(node.inputs.begin(), node.inputs.end(),
                                     [&](const Endpoint& input) { return may_alias[Index(input.node)]; });
      if (!may_alias[i] && (LeadsToAliases(node) || (reads && MayForward(node)))) may_alias[i] = changed = true;
      for (size_t k = 0; k < node.inputs.size() && reads; ++k) {
        const size_t maker = Index(node.inputs[k].node);
        if (node.input_types[k] == DType::kResource && !may_alias[maker]) may_alias[maker] = changed = true;
      }
    }
  }
  return may_alias;
}

}  // namespace plumb::fast
