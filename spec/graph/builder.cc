#include "spec/graph/builder.h"

#include <algorithm>

#include "spec/core/device_name.h"
#include "spec/graph/function_calls.h"
#include "spec/graph/function_shapes.h"
#include "spec/graph/infer_attrs.h"
#include "spec/graph/variable_type.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/known_values.h"
#include "spec/validate/signatures.h"
#include "spec/validate/structure.h"

namespace plumb {
namespace {

int64_t FoldKey(Endpoint value) { return (static_cast<int64_t>(value.node) << 32) | value.output; }

// The name of a node of which nothing else is known: names that users give begin with no underscore (rule G1), as those
// of ops do that TensorFlow's passes put into graphs.
std::string_view NameAfter(std::string_view op) { return op.substr(op.find_first_not_of('_')); }

// What a shape rule sees of a node under construction.
class NodeShapeContext : public ShapeContext {
 public:
  NodeShapeContext(const GraphBuilder& builder, const Node& node) : builder_(builder), node_(node) {}
  const OpDef& op() const override { return *node_.op; }
  const AttrMap& attrs() const override { return node_.attrs; }
  int num_inputs() const override { return static_cast<int>(node_.inputs.size()); }
  int num_outputs() const override { return static_cast<int>(node_.output_types.size()); }
  const PartialShape& input(int i) const override { return builder_.shape(node_.inputs[i]); }
  const Tensor* constant(int i) const override { return builder_.constant(node_.inputs[i]); }
  std::optional<VariableType> variable(int i) const override {
    return FindVariableType(builder_.graph(), node_.inputs[i]);
  }

 private:
  const GraphBuilder& builder_;
  const Node& node_;
};

// `inner` decides, what it leaves open comes from `outer`.
std::string OverrideDevice(const std::string& outer, const std::string& inner) {
  if (inner.empty()) return outer;
  const DeviceName from = DeviceName::Parse(outer);
  DeviceName name = DeviceName::Parse(inner);
  if (!name.job) name.job = from.job;
  if (!name.replica) name.replica = from.replica;
  if (!name.task) name.task = from.task;
  if (!name.id && (!name.type || name.type == from.type)) name.id = from.id;
  if (!name.type) name.type = from.type;
  return name.ToString();
}

}  // namespace

GraphBuilder::GraphBuilder() {
  VersionDef versions;
  versions.producer = kGraphVersion;
  graph_.set_versions(versions);
}

void GraphBuilder::LowerProducer(int32_t producer) {
  VersionDef versions = graph_.versions();
  versions.producer = std::min(versions.producer, producer);
  graph_.set_versions(std::move(versions));
}

void GraphBuilder::AddFunctions(const std::string& library) {
  std::string all = SerializeFunctionLibrary(ParseFunctionLibrary(graph_.library() + library));
  if (all == graph_.library() || library.empty()) return;
  auto functions = FunctionLibrary::Parse(all);
  for (const Node& node : graph_.nodes()) {
    const OpDef* function = functions->Find(node.op->name);
    if (function != nullptr) graph_.Edit(node.id).op = function;
  }
  graph_.set_library(std::move(all));
  graph_.set_functions(std::move(functions));
}

const OpDef& GraphBuilder::OpOrFunction(std::string_view name) const {
  const FunctionLibrary* functions = graph_.functions().get();
  const OpDef* function = functions == nullptr ? nullptr : functions->Find(name);
  return function == nullptr ? GetOp(name) : *function;
}

NodeId GraphBuilder::Add(std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs, Options options) {
  const OpDef& op_def = OpOrFunction(op);
  CheckInputs(inputs);
  ContextScope in_context(*this, context_ == nullptr ? nullptr : context_->ContextFor(*this, op, inputs));
  std::vector<Endpoint> imported = inputs;
  if (context_ != nullptr) {
    for (Endpoint& input : imported) input = context_->Import(*this, input);
  }
  std::vector<DType> types;
  types.reserve(imported.size());
  for (const Endpoint& input : imported) types.push_back(graph_.TypeOf(input));
  InferAttrs(op_def, types, attrs);

  NodeDef def;
  def.op = op_def.name;
  def.attrs = std::move(attrs);
  def.device = OverrideDevice(device_, options.device);
  if (!colocation_.empty()) def.attrs.emplace("_class", std::vector<std::string>{"loc:@" + colocation_});
  def.name = UniqueName(options.name.empty() ? NameAfter(op_def.name) : std::string_view(options.name));
  std::vector<NodeId> control = std::move(options.control_inputs);
  control.insert(control.end(), control_.begin(), control_.end());

  Node node = graph_.Prepare(def, std::move(imported), std::move(control));
  std::vector<PartialShape> shapes = InferNodeShapes(node);
  const NodeId id = graph_.Append(std::move(node));
  shapes_.push_back(std::move(shapes));
  contexts_.push_back(context_);
  Fold(graph_.node(id));
  if (context_ != nullptr) context_->Added(*this, id);
  return id;
}

void GraphBuilder::CheckInputs(const std::vector<Endpoint>& inputs) const {
  for (const Endpoint& input : inputs) {
    const bool exists = input.node != NodeId::kNone && Index(input.node) < static_cast<size_t>(graph_.size()) &&
                        input.output >= 0 &&
                        static_cast<size_t>(input.output) < graph_.node(input.node).output_types.size();
    Require(exists, "an input is no output of any node of this graph");
  }
}

std::vector<PartialShape> GraphBuilder::InferNodeShapes(const Node& node) const {
  try {
    const NodeShapeContext context(*this, node);
    const bool is_call = IsCall(node.op->kind);
    std::vector<PartialShape> shapes =
        is_call ? ShapesOfCalls(graph_.functions().get())(context) : InferShapes(context);
    shapes.resize(node.output_types.size());
    return shapes;
  } catch (const Error& error) {
    throw Error(error.status().code(), Str("node '", node.name, "' (", node.op->name, "): ", error.what()));
  }
}

void GraphBuilder::Fold(const Node& node) {
  std::vector<Tensor> outputs = FoldKnownValues(NodeShapeContext(*this, node), node.output_types);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].IsSet()) folded_.emplace(FoldKey({node.id, static_cast<int>(i)}), std::move(outputs[i]));
  }
}

Endpoint GraphBuilder::Constant(Tensor value, std::string name) {
  const DType dtype = value.dtype();
  Options options;
  options.name = std::move(name);
  return {Add("Const", {}, {{"value", std::move(value)}, {"dtype", dtype}}, std::move(options)), 0};
}

const Tensor* GraphBuilder::constant(Endpoint value) const {
  const Node& node = graph_.node(value.node);
  if (node.op->kind == OpKind::kConstant) return &GetAttr<Tensor>(node.attrs, "value");
  const auto found = folded_.find(FoldKey(value));
  return found == folded_.end() ? nullptr : &found->second;
}

void GraphBuilder::SetInput(NodeId consumer, int input, Endpoint value) {
  Node& node = graph_.Edit(consumer);
  Require(input >= 0 && static_cast<size_t>(input) < node.inputs.size(), "node '", node.name, "' has no input ", input);
  const Endpoint old = std::exchange(node.inputs[input], value);
  try {
    CheckEdges(graph_, node);
  } catch (const Error&) {
    node.inputs[input] = old;
    throw;
  }
}

void GraphBuilder::AddControlInput(NodeId consumer, NodeId before) {
  auto& control = graph_.Edit(consumer).control_inputs;
  if (std::find(control.begin(), control.end(), before) == control.end()) control.push_back(before);
}

void GraphBuilder::SetAttr(NodeId node, const std::string& name, AttrValue value) {
  graph_.Edit(node).attrs.insert_or_assign(name, std::move(value));
}

void GraphBuilder::SetControlInputs(NodeId consumer, std::vector<NodeId> before) {
  RemoveRepetitions(before);
  graph_.Edit(consumer).control_inputs = std::move(before);
}

// Names that differ only in case count as equal, as they would on some file systems that hold summaries by name.
std::string GraphBuilder::UniqueName(std::string_view wanted) {
  const auto key_of = [](std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return name;
  };
  std::string base = scope_.empty() ? std::string(wanted) : scope_ + "/" + std::string(wanted);
  int next = used_names_[key_of(base)]++;
  if (next == 0) return base;
  std::string name;
  do {
    name = Str(base, "_", next++);
  } while (used_names_.contains(key_of(name)));
  used_names_[key_of(base)] = next;
  used_names_[key_of(name)] = 1;
  return name;
}

GraphBuilder::NameScope::NameScope(GraphBuilder& builder, std::string_view name, ScopeKind kind)
    : builder_(builder), outer_(builder.scope_) {
  builder_.scope_ = kind == ScopeKind::kUnique ? builder.UniqueName(name) : std::string(name);
}
GraphBuilder::NameScope::~NameScope() { builder_.scope_ = std::move(outer_); }

GraphBuilder::ControlScope::ControlScope(GraphBuilder& builder, std::vector<NodeId> before)
    : builder_(builder), outer_(builder.control_) {
  builder_.control_.insert(builder_.control_.end(), before.begin(), before.end());
}
GraphBuilder::ControlScope::~ControlScope() { builder_.control_ = std::move(outer_); }

GraphBuilder::DeviceScope::DeviceScope(GraphBuilder& builder, const std::string& device)
    : builder_(builder), outer_(builder.device_) {
  builder_.device_ = OverrideDevice(outer_, device);
}
GraphBuilder::DeviceScope::~DeviceScope() { builder_.device_ = std::move(outer_); }

}  // namespace plumb
