#include "fastpath/compile/passes/constant_folding.h"

#include <algorithm>
#include <exception>
#include <map>
#include <set>

#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

// What a shape rule sees of a node whose inputs are all known.
class KnownInputs : public ShapeContext {
 public:
  KnownInputs(const StepNode& node, std::span<const Tensor> inputs) : node_(node), inputs_(inputs) {
    for (const Tensor& input : inputs) shapes_.emplace_back(input.shape());
  }
  const OpDef& op() const override { return *node_.op->op; }
  const AttrMap& attrs() const override { return node_.op->attrs; }
  int num_inputs() const override { return static_cast<int>(inputs_.size()); }
  int num_outputs() const override { return static_cast<int>(node_.output_types.size()); }
  const PartialShape& input(int i) const override { return shapes_[i]; }
  const Tensor* constant(int i) const override { return &inputs_[i]; }

 private:
  const StepNode& node_;
  std::span<const Tensor> inputs_;
  std::vector<PartialShape> shapes_;
};

bool IsTooBig(DType dtype, int64_t elements) {
  const auto bytes = CheckedMultiply(elements, std::max<int64_t>(1, static_cast<int64_t>(ElementSize(dtype))));
  return !bytes || *bytes > kMaxFoldedBytes;
}

class Folder {
 public:
  Folder(StepGraph& graph, const Evaluator& evaluate) : graph_(graph), evaluate_(evaluate), size_(graph.nodes.size()) {
    values_.resize(size_);
    controls_.resize(size_);
  }

  void Run() {
    for (const NodeId id : TopologicalOrder(graph_)) {
      if (MayFold(graph_[id])) Fold(id);
    }
    for (size_t i = 0; i < size_; ++i) {
      if (values_[i].empty()) ReplaceInputs(NodeId(static_cast<int32_t>(i)));
    }
    RemoveUnreachable(graph_);
  }

 private:
  bool IsFolded(NodeId id) const { return !values_[Index(id)].empty(); }

  // O4: pure, not control flow, and all data inputs known.
  bool MayFold(const StepNode& node) const {
    if (node.kind == NodeKind::kConstant) return true;
    if (node.op == nullptr || node.IsStateful() || node.inputs.empty() || node.output_types.empty()) return false;
    if (node.kind != NodeKind::kKernel && node.kind != NodeKind::kIdentity) return false;
    if (node.op->op->kind == OpKind::kPlaceholderWithDefault) return false;
    for (const auto* types : {&node.input_types, &node.output_types}) {
      for (const DType type : *types) {
        if (IsRef(type) || type == DType::kResource || type == DType::kVariant) return false;
      }
    }
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const Endpoint& e) { return IsFolded(e.node); });
  }

  void Fold(NodeId id) {
    const StepNode& node = graph_[id];
    if (node.kind == NodeKind::kConstant) {
      values_[Index(id)] = {node.value};
    } else {
      values_[Index(id)] = Evaluate(node);
    }
    if (IsFolded(id)) CollectControls(id);
  }

  // O6: what fails stays in the graph, and fails if it ever runs. Empty: do not fold.
  std::vector<Tensor> Evaluate(const StepNode& node) const {
    std::vector<Tensor> inputs;
    for (const Endpoint& input : node.inputs) inputs.push_back(values_[Index(input.node)][input.output]);
    try {
      // Nothing big is computed for a branch that may never run.
      const auto shapes = InferShapes(KnownInputs(node, inputs));
      for (size_t i = 0; i < shapes.size(); ++i) {
        if (shapes[i].IsFullyDefined() && IsTooBig(node.output_types[i], shapes[i].ToShape().elements())) return {};
      }
      auto outputs = evaluate_(node, inputs);
      for (const Tensor& output : outputs) {
        if (!output.IsSet() || IsTooBig(output.dtype(), output.elements())) return {};
      }
      return outputs;
    } catch (const std::exception&) {  // also where memory ends
      return {};
    }
  }

  // O5: the control predecessors of a folded node and of its folded ancestors, folded ones replaced by their own.
  void CollectControls(NodeId id) {
    auto& controls = controls_[Index(id)];
    const auto add_all = [&](NodeId from) {
      controls.insert(controls_[Index(from)].begin(), controls_[Index(from)].end());
    };
    for (const Endpoint& input : graph_[id].inputs) add_all(input.node);
    for (const NodeId control : graph_[id].controls) {
      if (IsFolded(control)) {
        add_all(control);
      } else {
        controls.insert(control);
      }
    }
  }

  // Only data edges change; what a control edge needs still runs (rule O8).
  void ReplaceInputs(NodeId id) {
    for (size_t k = 0; k < graph_[id].inputs.size(); ++k) {
      const Endpoint input = graph_[id].inputs[k];
      if (Index(input.node) >= size_ || !IsFolded(input.node)) continue;
      if (graph_[input.node].kind == NodeKind::kConstant) continue;
      graph_[id].inputs[k] = {ConstantFor(input), 0};
    }
  }

  NodeId ConstantFor(Endpoint endpoint) {
    const auto [at, is_new] = constants_.emplace(endpoint, NodeId::kNone);
    if (!is_new) return at->second;
    const StepNode& folded = graph_[endpoint.node];
    StepNode constant;
    constant.kind = NodeKind::kConstant;
    constant.name = Str(folded.name, "/folded_", endpoint.output);
    constant.value = values_[Index(endpoint.node)][endpoint.output];
    constant.output_types = {constant.value.dtype()};
    constant.controls.assign(controls_[Index(endpoint.node)].begin(), controls_[Index(endpoint.node)].end());
    constant.device = folded.device;
    return at->second = graph_.Add(std::move(constant));
  }

  StepGraph& graph_;
  const Evaluator& evaluate_;
  const size_t size_;                        // before any constant was added
  std::vector<std::vector<Tensor>> values_;  // outputs of folded nodes
  std::vector<std::set<NodeId>> controls_;   // what a folded node's value must wait for
  std::map<Endpoint, NodeId> constants_;
};

}  // namespace

void FoldConstants(StepGraph& graph, const Evaluator& evaluate) { Folder(graph, evaluate).Run(); }

}  // namespace plumb::fast
