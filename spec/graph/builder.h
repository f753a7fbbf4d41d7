// GraphBuilder: makes a graph node by node, inferring type attributes and shapes as TensorFlow's Python client does.
// Gradient rules and the client library build with it.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/core/shape.h"
#include "spec/graph/graph.h"

namespace plumb {

class GraphBuilder;

// What a conditional branch or a loop does to the ops that are built inside it (rules X40–X43). Implemented by the
// client.
class ControlFlowContext {
 public:
  virtual ~ControlFlowContext() = default;
  ControlFlowContext* outer() const { return outer_; }
  // Where an op over these inputs belongs: usually here. A backward loop sends Shape of a forward value to the forward
  // loop, so that the shape is kept instead of the value (rule D33).
  virtual ControlFlowContext* ContextFor(GraphBuilder&, std::string_view /*op*/,
                                         const std::vector<Endpoint>& /*inputs*/) {
    return this;
  }
  // Makes a value from outside usable inside (through Switch or Enter); values of this context come back unchanged.
  virtual Endpoint Import(GraphBuilder& builder, Endpoint value) = 0;
  // The node that an op without inputs must be ordered after, so that it belongs to this context.
  virtual NodeId Pivot() const = 0;
  // Told of each node that was built while this context was current.
  virtual void Added(GraphBuilder& builder, NodeId node) = 0;

 protected:
  explicit ControlFlowContext(ControlFlowContext* outer) : outer_(outer) {}

 private:
  ControlFlowContext* outer_;
};

class GraphBuilder {
 public:
  struct Options {
    std::string name;  // last component; made unique under the current scope. Empty: the op's name
    std::string device;
    std::vector<NodeId> control_inputs;
  };

  GraphBuilder();

  // Functions of a library, as bytes: nodes may call them by name or reference. Those that are there already in the
  // same form count once; throws kInvalidArgument for one that is there in another (rule FN2).
  void AddFunctions(const std::string& library);

  // Adds a node. Type, number and type-list attributes follow from the inputs unless given; values outside the current
  // control-flow context are imported first. Throws kInvalidArgument naming op, input and reason; kNotFound for an
  // unknown op. Shapes are inferred, and contradictions refused, at once.
  NodeId Add(std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs, Options options);
  NodeId Add(std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs = {}) {
    return Add(op, inputs, std::move(attrs), Options{});
  }
  // The same, as its first output.
  Endpoint Call(std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs = {}) {
    return {Add(op, inputs, std::move(attrs)), 0};
  }
  // A Const node in the current context.
  Endpoint Constant(Tensor value, std::string name = "");

  // Replaces a data input: the back edge of a loop (NextIteration → Merge, rule G9), or a provisional input.
  void SetInput(NodeId consumer, int input, Endpoint value);
  void AddControlInput(NodeId consumer, NodeId before);
  // Sets an attribute that only describes the node ("_class"), not one that its signature depends on.
  void SetAttr(NodeId node, const std::string& name, AttrValue value);
  // Replaces all control inputs: a context drops those from outside of it (rule X43).
  void SetControlInputs(NodeId consumer, std::vector<NodeId> before);

  const Graph& graph() const { return graph_; }
  DType dtype(Endpoint value) const { return Base(graph_.TypeOf(value)); }
  const PartialShape& shape(Endpoint value) const { return shapes_[Index(value.node)][value.output]; }
  void set_shape(Endpoint value, PartialShape shape) { shapes_[Index(value.node)][value.output] = std::move(shape); }
  // The value, when it is a Const or folds to one by shape arithmetic; null otherwise.
  const Tensor* constant(Endpoint value) const;

  // Names: nodes made while a NameScope lives are called "scope/…". A scope's name is made unique. With kAbsolute the
  // name is taken as it is, from the root, and used again when it was used before.
  enum class ScopeKind { kUnique, kAbsolute };
  class NameScope {
   public:
    NameScope(GraphBuilder& builder, std::string_view name, ScopeKind kind = ScopeKind::kUnique);
    ~NameScope();
    NameScope(const NameScope&) = delete;
    NameScope& operator=(const NameScope&) = delete;

   private:
    GraphBuilder& builder_;
    std::string outer_;
  };
  // Without a trailing slash; empty at the root.
  const std::string& scope() const { return scope_; }
  // `wanted` under the current scope, with "_1", "_2", … appended when it is taken.
  std::string UniqueName(std::string_view wanted);

  // Current control-flow context of a node, and of new nodes.
  ControlFlowContext* context() const { return context_; }
  void set_context(ControlFlowContext* context) { context_ = context; }
  ControlFlowContext* context_of(NodeId node) const { return contexts_[Index(node)]; }
  void set_context_of(NodeId node, ControlFlowContext* context) { contexts_[Index(node)] = context; }
  // Keeps a context as long as the builder lives.
  template <class Context>
  Context* Own(std::unique_ptr<Context> context) {
    Context* kept = context.get();
    owned_.push_back(std::move(context));
    return kept;
  }

  // Nodes made while a ContextScope lives belong to `context`.
  class ContextScope {
   public:
    ContextScope(GraphBuilder& builder, ControlFlowContext* context) : builder_(builder), outer_(builder.context_) {
      builder_.context_ = context;
    }
    ~ContextScope() { builder_.context_ = outer_; }
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

   private:
    GraphBuilder& builder_;
    ControlFlowContext* outer_;
  };

  // Nodes made while a ControlScope lives run after `before`, besides what enclosing scopes ask for.
  class ControlScope {
   public:
    ControlScope(GraphBuilder& builder, std::vector<NodeId> before);
    ~ControlScope();
    ControlScope(const ControlScope&) = delete;
    ControlScope& operator=(const ControlScope&) = delete;

   private:
    GraphBuilder& builder_;
    std::vector<NodeId> outer_;
  };

  // What enclosing control scopes ask for.
  const std::vector<NodeId>& control_scope() const { return control_; }

  // Nodes made while a NoControlScope lives ignore the enclosing control scopes.
  class NoControlScope {
   public:
    explicit NoControlScope(GraphBuilder& builder) : builder_(builder) { outer_.swap(builder.control_); }
    ~NoControlScope() { outer_.swap(builder_.control_); }
    NoControlScope(const NoControlScope&) = delete;
    NoControlScope& operator=(const NoControlScope&) = delete;

   private:
    GraphBuilder& builder_;
    std::vector<NodeId> outer_;
  };

  // Nodes made while a ColocationScope lives ask for the device of node `with`.
  class ColocationScope {
   public:
    ColocationScope(GraphBuilder& builder, NodeId with)
        : builder_(builder), outer_(std::exchange(builder.colocation_, builder.graph_.node(with).name)) {}
    ~ColocationScope() { builder_.colocation_ = std::move(outer_); }
    ColocationScope(const ColocationScope&) = delete;
    ColocationScope& operator=(const ColocationScope&) = delete;

   private:
    GraphBuilder& builder_;
    std::string outer_;
  };

  // Nodes made while a DeviceScope lives ask for `device`; what it leaves open comes from the enclosing scope.
  class DeviceScope {
   public:
    DeviceScope(GraphBuilder& builder, const std::string& device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

   private:
    GraphBuilder& builder_;
    std::string outer_;
  };

  GraphDef ToGraphDef() const { return graph_.ToDef(); }
  // Makes it a graph of the older of its own producer and this one, which may hold that one's ops (rules V1, V2).
  void LowerProducer(int32_t producer);

 private:
  const OpDef& OpOrFunction(std::string_view name) const;
  void CheckInputs(const std::vector<Endpoint>& inputs) const;
  std::vector<PartialShape> InferNodeShapes(const Node& node) const;
  void Fold(const Node& node);

  Graph graph_;
  std::vector<std::vector<PartialShape>> shapes_;  // per node, per output
  std::vector<ControlFlowContext*> contexts_;      // per node
  std::unordered_map<int64_t, Tensor> folded_;     // values of endpoints that are known without running
  std::unordered_map<std::string, int> used_names_;
  std::string scope_;
  std::string device_;
  std::string colocation_;
  std::vector<NodeId> control_;
  ControlFlowContext* context_ = nullptr;
  std::vector<std::unique_ptr<ControlFlowContext>> owned_;
};

}  // namespace plumb
