#include "fastpath/compile/graph/infer_shapes.h"

#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

class KnownSoFar : public ShapeContext {
 public:
  KnownSoFar(const StepGraph& graph, const StepNode& node) : graph_(graph), node_(node) {}
  const OpDef& op() const override { return *node_.op->op; }
  const AttrMap& attrs() const override { return node_.op->attrs; }
  int num_inputs() const override { return static_cast<int>(node_.inputs.size()); }
  int num_outputs() const override { return static_cast<int>(node_.output_types.size()); }
  const PartialShape& input(int i) const override {
    static const PartialShape unknown;
    const StepNode& producer = graph_[node_.inputs[i].node];
    const auto output = static_cast<size_t>(node_.inputs[i].output);
    return output < producer.output_shapes.size() ? producer.output_shapes[output] : unknown;
  }
  const Tensor* constant(int i) const override {
    const StepNode& producer = graph_[node_.inputs[i].node];
    return producer.kind == NodeKind::kConstant && !producer.in_device_memory ? &producer.value : nullptr;
  }

 private:
  const StepGraph& graph_;
  const StepNode& node_;
};

std::vector<PartialShape> ShapesOf(const StepGraph& graph, const StepNode& node) {
  if (node.kind == NodeKind::kConstant) return {PartialShape(node.value.shape())};
  if (node.op != nullptr) {
    try {
      return InferShapes(KnownSoFar(graph, node));
    } catch (const Error&) {
      return {};
    }
  }
  const bool is_move = node.kind == NodeKind::kIdentity || node.kind == NodeKind::kSend || node.kind == NodeKind::kRecv;
  if (is_move) return {graph[node.inputs[0].node].output_shapes[node.inputs[0].output]};
  return {};
}

}  // namespace

void InferStepShapes(StepGraph& graph) {
  for (StepNode& node : graph.nodes) node.output_shapes.assign(node.output_types.size(), PartialShape::Unknown());
  for (const NodeId id : TopologicalOrder(graph)) {
    auto shapes = ShapesOf(graph, graph[id]);
    shapes.resize(graph[id].output_types.size());
    graph[id].output_shapes = std::move(shapes);
  }
}

}  // namespace plumb::fast
