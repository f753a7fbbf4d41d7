#include "fastpath/compile/passes/common_subexpressions.h"

#include <algorithm>
#include <unordered_map>

#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

size_t Mix(size_t hash, size_t value) { return (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 29); }

size_t HashOf(const Tensor& tensor) {
  const size_t hash = Mix(static_cast<size_t>(tensor.dtype()), static_cast<size_t>(tensor.elements()));
  if (!tensor.IsSet() || tensor.bytes() == 0) return hash;
  return Mix(hash, std::hash<std::string_view>()({static_cast<const char*>(tensor.raw()), tensor.bytes()}));
}

class Merger {
 public:
  explicit Merger(StepGraph& graph) : graph_(graph), replaced_(graph.nodes.size()) {
    for (int i = 0; i < graph.size(); ++i) replaced_[i] = NodeId(i);
  }

  void Run() {
    for (const NodeId id : TopologicalOrder(graph_)) {
      Redirect(graph_[id]);
      if (IsEligible(graph_[id])) MergeIntoEqual(id);
    }
    for (StepNode& node : graph_.nodes) Redirect(node);  // back edges, too
    RemoveUnreachable(graph_);
  }

 private:
  // O2, O3: not stateful, no reference to something that may change, not a placeholder.
  bool IsEligible(const StepNode& node) const {
    if (node.op == nullptr || node.IsStateful()) return false;
    for (const DType type : node.input_types) {
      if (IsRef(type)) return false;
    }
    for (const Endpoint& input : node.inputs) {
      if (IsRef(graph_.TypeOf(input))) return false;
    }
    const OpKind kind = node.op->op->kind;
    return kind != OpKind::kPlaceholder && kind != OpKind::kPlaceholderWithDefault;
  }

  void Redirect(StepNode& node) const {
    for (Endpoint& input : node.inputs) input.node = replaced_[Index(input.node)];
    for (NodeId& control : node.controls) control = replaced_[Index(control)];
    std::sort(node.controls.begin(), node.controls.end());
    node.controls.erase(std::unique(node.controls.begin(), node.controls.end()), node.controls.end());
  }

  std::vector<Endpoint> InputsOf(const StepNode& node) const {
    auto inputs = node.inputs;
    if (node.op->op->is_commutative) std::sort(inputs.begin(), inputs.end());
    return inputs;
  }

  size_t HashOfNode(const StepNode& node) const {
    size_t hash = Mix(std::hash<const void*>()(node.op->op), node.controls.size());
    for (const Endpoint& input : InputsOf(node)) hash = Mix(Mix(hash, Index(input.node)), input.output);
    for (const NodeId control : node.controls) hash = Mix(hash, Index(control));
    return Mix(hash, HashOf(node.value));
  }

  bool AreEqual(const StepNode& a, const StepNode& b) const {
    return a.op->op == b.op->op && a.op->device == b.op->device && a.controls == b.controls &&
           InputsOf(a) == InputsOf(b) && a.op->attrs == b.op->attrs;
  }

  void MergeIntoEqual(NodeId id) {
    auto& candidates = by_hash_[HashOfNode(graph_[id])];
    for (const NodeId other : candidates) {
      if (!AreEqual(graph_[other], graph_[id])) continue;
      replaced_[Index(id)] = other;
      graph_[other].is_root |= graph_[id].is_root;
      graph_[id].is_root = false;
      return;
    }
    candidates.push_back(id);
  }

  StepGraph& graph_;
  std::vector<NodeId> replaced_;
  std::unordered_map<size_t, std::vector<NodeId>> by_hash_;
};

}  // namespace

void MergeCommonSubexpressions(StepGraph& graph) { Merger(graph).Run(); }

}  // namespace plumb::fast
