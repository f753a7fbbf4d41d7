#include "spec/validate/shapes.h"

#include <utility>

#include "spec/graph/function_calls.h"
#include "spec/graph/function_shapes.h"
#include "spec/graph/variable_type.h"
#include "spec/ops/known_values.h"

namespace plumb {
namespace {

// Graphs of these producers write a Placeholder's shape as [] when it is a scalar and when it is unknown (rule V4).
constexpr int kLastProducerWithoutUnknownShapes = 21;

// Shapes and values known so far, by node. A node's inputs come before it, but for the back edges of loops.
class ShapeInference {
 public:
  using Args = std::map<NodeId, KnownValue>;
  ShapeInference(const Graph& graph, const Args& args, const CallShapeFn& calls)
      : graph_(graph), args_(args), calls_(calls), shapes_(static_cast<size_t>(graph.size())) {}

  // Hands what rules refuse to `refused`.
  template <class Refused>
  std::vector<std::vector<PartialShape>> Run(Refused refused) {
    for (const Node& node : graph_.nodes()) shapes_[Index(node.id)].resize(node.output_types.size());
    for (const NodeId id : TopologicalOrder(graph_)) {
      if (const auto arg = args_.find(id); arg != args_.end()) {
        shapes_[Index(id)][0] = arg->second.shape;
        continue;
      }
      try {
        Visit(graph_.node(id));
      } catch (const Error& error) {
        refused(graph_.node(id), error);
      }
    }
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
      const Endpoint source = SourceOfHandle(known_.graph_, node_.inputs[i]);
      const auto arg = known_.args_.find(source.node);
      return arg != known_.args_.end() ? arg->second.variable : FindVariableType(known_.graph_, source);
    }

   private:
    const ShapeInference& known_;
    const Node& node_;
  };

  const PartialShape& ShapeOf(Endpoint value) const { return shapes_[Index(value.node)][value.output]; }

  const Tensor* ValueOf(Endpoint value) const {
    if (const auto arg = args_.find(value.node); arg != args_.end()) return arg->second.value;
    const Node& node = graph_.node(value.node);
    if (node.op->kind == OpKind::kConstant) return &GetAttr<Tensor>(node.attrs, "value");
    const auto found = values_.find(value);
    return found == values_.end() ? nullptr : &found->second;
  }

  void Visit(const Node& node) {
    const Context context(*this, node);
    auto inferred = IsCall(node.op->kind) ? calls_(context) : InferShapes(context);
    inferred.resize(node.output_types.size());
    if (SaysNothing(node)) inferred[0] = PartialShape::Unknown();
    shapes_[Index(node.id)] = std::move(inferred);
    Fold(node);
  }

  // V4. A shape that must be given, as that of PlaceholderV2, is meant as it is written.
  bool SaysNothing(const Node& node) const {
    if (node.op->kind != OpKind::kPlaceholder || graph_.versions().producer > kLastProducerWithoutUnknownShapes)
      return false;
    const AttrDef* const shape = node.op->FindAttr("shape");
    if (shape == nullptr || !shape->default_value.has_value()) return false;
    return GetAttr<PartialShape>(node.attrs, "shape") == Shape();
  }

  void Fold(const Node& node) {
    std::vector<Tensor> outputs = FoldKnownValues(Context(*this, node), node.output_types);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].IsSet()) values_.emplace(Endpoint{node.id, static_cast<int32_t>(i)}, std::move(outputs[i]));
    }
  }

  const Graph& graph_;
  const Args& args_;
  const CallShapeFn& calls_;
  std::vector<std::vector<PartialShape>> shapes_;
  std::map<Endpoint, Tensor> values_;
};

}  // namespace

std::vector<std::vector<PartialShape>> InferGraphShapes(const Graph& graph) {
  const CallShapeFn calls = ShapesOfCalls(graph.functions().get());
  return ShapeInference(graph, {}, calls).Run([](const Node& node, const Error& error) {
    throw Error(error.status().code(), Str("node '", node.name, "' (", node.op->name, "): ", error.what()));
  });
}

std::vector<std::vector<PartialShape>> InferBodyShapes(const Graph& body, const std::map<NodeId, KnownValue>& args,
                                                       const CallShapeFn& calls) {
  return ShapeInference(body, args, calls).Run([](const Node&, const Error&) {});
}

}  // namespace plumb
