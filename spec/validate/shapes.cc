#include "spec/validate/shapes.h"

#include <map>

#include "spec/graph/variable_type.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

// Graphs of these producers write a Placeholder's shape as [] when it is a scalar and when it is unknown (rule V4).
constexpr int kLastProducerWithoutUnknownShapes = 21;

// Shapes and values known so far, by node. A node's inputs come before it, but for the back edges of loops.
class ShapeInference {
 public:
  explicit ShapeInference(const Graph& graph) : graph_(graph), shapes_(static_cast<size_t>(graph.size())) {}

  std::vector<std::vector<PartialShape>> Run() {
    for (const Node& node : graph_.nodes()) shapes_[Index(node.id)].resize(node.output_types.size());
    for (const NodeId id : TopologicalOrder(graph_)) Visit(graph_.node(id));
    return std::move(shapes_);
  }

 private:
  class Context : public ShapeContext {
   public:
    Context(const ShapeInference& known, const Node& node) : known_(known), node_(node) {}
    const OpDef& op() const override { return *node_.op; }
    const AttrMap& attrs() const override { return node_.attrs; }
    int num_inputs() const override { return static_cast<int>(node_.inputs.size()); }
    int num_outputs() const override { return static_cast<int>(node_.output_types.size()); }
    const PartialShape& input(int i) const override { return known_.ShapeOf(node_.inputs[i]); }
    const Tensor* constant(int i) const override { return known_.ValueOf(node_.inputs[i]); }
    std::optional<VariableType> variable(int i) const override {
      return FindVariableType(known_.graph_, node_.inputs[i]);
    }

   private:
    const ShapeInference& known_;
    const Node& node_;
  };

  const PartialShape& ShapeOf(Endpoint value) const { return shapes_[Index(value.node)][value.output]; }

  const Tensor* ValueOf(Endpoint value) const {
    const Node& node = graph_.node(value.node);
    if (node.op->kind == OpKind::kConstant) return &GetAttr<Tensor>(node.attrs, "value");
    const auto found = values_.find(value);
    return found == values_.end() ? nullptr : &found->second;
  }

  void Visit(const Node& node) {
    try {
      auto inferred = InferShapes(Context(*this, node));
      inferred.resize(node.output_types.size());
      if (SaysNothing(node)) inferred[0] = PartialShape::Unknown();
      shapes_[Index(node.id)] = std::move(inferred);
    } catch (const Error& error) {
      throw Error(error.status().code(), Str("node '", node.name, "' (", node.op->name, "): ", error.what()));
    }
    Fold(node);
  }

  // V4.
  bool SaysNothing(const Node& node) const {
    if (node.op->kind != OpKind::kPlaceholder || graph_.versions().producer > kLastProducerWithoutUnknownShapes)
      return false;
    return GetAttr<PartialShape>(node.attrs, "shape") == Shape();
  }

  void Fold(const Node& node) {
    std::vector<Tensor> outputs = FoldKnownValues(Context(*this, node), node.output_types);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].IsSet()) values_.emplace(Endpoint{node.id, static_cast<int32_t>(i)}, std::move(outputs[i]));
    }
  }

  const Graph& graph_;
  std::vector<std::vector<PartialShape>> shapes_;
  std::map<Endpoint, Tensor> values_;
};

}  // namespace

std::vector<std::vector<PartialShape>> InferGraphShapes(const Graph& graph) { return ShapeInference(graph).Run(); }

}  // namespace plumb
