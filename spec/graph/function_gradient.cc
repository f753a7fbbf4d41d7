#include "spec/graph/function_gradient.h"

#include <algorithm>

#include "spec/graph/builder.h"
#include "spec/graph/function_body.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/control_flow.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// ER11: gradients of gradients grow; this bounds what a short reference can make us build.
constexpr int kMostNodes = 1 << 20;

// D1.
bool IsTrainable(DType type) { return IsFloating(type) || IsComplex(type) || type == DType::kVariant; }

class BodyGradient {
 public:
  explicit BodyGradient(const FunctionBody& body) : body_(body), copy_(body.graph.size()) {}

  FunctionBody Build() {
    for (const Node& node : body_.graph.nodes()) {
      if (IsNextIteration(node)) {
        throw Unimplemented("the function '", body_.name, "' has a loop ('", node.name, "'), which SymbolicGradient ",
                            "does not differentiate");
      }
    }
    order_ = TopologicalOrder(body_.graph);
    for (const NodeId arg : body_.args) AddArg(body_.graph.node(arg).name, body_.graph.TypeOf({arg, 0}), arg);
    for (const NodeId id : order_) Copy(body_.graph.node(id));
    FindReached();
    AddResultGradients();
    for (auto id = order_.rbegin(); id != order_.rend(); ++id) Differentiate(copy_[Index(*id)]);
    FunctionBody gradient;
    for (size_t i = 0; i < body_.args.size(); ++i) gradient.results.push_back(ArgGradient(body_.args[i]));
    gradient.name = Str("gradient of ", body_.name);
    gradient.graph = builder_.graph();
    gradient.args = args_;
    gradient.effects = StatefulNodes(gradient.graph);
    return gradient;
  }

 private:
  void AddArg(const std::string& name, DType type, NodeId original) {
    GraphBuilder::Options options;
    options.name = name;
    const AttrMap attrs = {{"T", type}, {"index", static_cast<int64_t>(args_.size())}};
    args_.push_back(builder_.Add("_Arg", {}, attrs, std::move(options)));
    if (original != NodeId::kNone) copy_[Index(original)] = args_.back();
  }

  // A call of a function by its name becomes a call by its reference, for the builder knows ops only.
  void Copy(const Node& node) {
    if (node.op->kind == OpKind::kPlaceholder && std::count(body_.args.begin(), body_.args.end(), node.id) > 0) return;
    GraphBuilder::Options options{.name = node.name, .device = node.device, .control_inputs = {}};
    for (const NodeId before : node.control_inputs) options.control_inputs.push_back(copy_[Index(before)]);
    std::vector<Endpoint> inputs;
    for (const Endpoint input : node.inputs) inputs.push_back(Copied(input));
    if (FindOp(node.op->name) != nullptr) {
      copy_[Index(node.id)] = builder_.Add(node.op->name, inputs, node.attrs, std::move(options));
      return;
    }
    const AttrMap attrs = {
        {"Tin", node.input_types}, {"Tout", node.output_types}, {"f", FunctionsCalledBy(node)[0].function}};
    copy_[Index(node.id)] = builder_.Add(node.op->is_stateful ? "StatefulPartitionedCall" : "PartitionedCall", inputs,
                                         attrs, std::move(options));
  }

  Endpoint Copied(Endpoint original) const { return {copy_[Index(original.node)], original.output}; }

  void FindReached() {
    const Graph& graph = builder_.graph();
    reached_.resize(graph.size());
    for (const NodeId arg : args_) reached_[Index(arg)] = IsTrainable(graph.TypeOf({arg, 0}));
    for (const NodeId id : order_) {
      const NodeId copied = copy_[Index(id)];
      for (const Endpoint input : graph.node(copied).inputs) {
        if (reached_[Index(input.node)] && IsTrainable(Base(graph.TypeOf(input)))) reached_[Index(copied)] = true;
      }
    }
  }

  void AddResultGradients() {
    for (size_t i = 0; i < body_.results.size(); ++i) {
      const DType type = Base(body_.graph.TypeOf(body_.results[i]));
      AddArg(Str("gradient_", i), type, NodeId::kNone);
      if (IsTrainable(type)) Receive(Copied(body_.results[i]), GradientValue(Endpoint{args_.back(), 0}));
    }
  }

  void Receive(Endpoint value, GradientValue gradient) {
    if (gradient.IsNone() || Index(value.node) >= reached_.size() || !reached_[Index(value.node)]) return;
    received_[value].push_back({Densify(builder_, gradient)});
  }

  // D4: the sum of what has arrived, in the order of arrival.
  GradientValue Sum(Endpoint value) {
    const auto found = received_.find(value);
    if (found == received_.end()) return GradientValue::None();
    if (found->second.size() == 1) return found->second[0];
    return builder_.Call("AddN", found->second);
  }

  void Differentiate(NodeId id) {
    const Node node = builder_.graph().node(id);  // a copy: the graph grows
    if (std::count(args_.begin(), args_.end(), id) > 0 || !reached_[Index(id)]) return;
    Values dys;
    for (size_t i = 0; i < node.output_types.size(); ++i) dys.push_back(Sum({id, static_cast<int32_t>(i)}));
    if (std::all_of(dys.begin(), dys.end(), [](const GradientValue& dy) { return dy.IsNone(); })) return;
    GraphBuilder::NameScope scope(builder_, node.name + "_grad");
    GraphBuilder::DeviceScope device(builder_, node.device);
    Gradient gradient(builder_, id, std::move(dys));
    const Values dxs = Rule(node)(gradient);
    if (dxs.size() != node.inputs.size()) throw Internal("the gradient rule of ", node.op->name, " misses inputs");
    for (size_t i = 0; i < dxs.size(); ++i) Receive(node.inputs[i], dxs[i]);
    if (builder_.graph().size() > kMostNodes) {
      throw ResourceExhausted("the gradient of the function '", body_.name, "' has more than ", kMostNodes, " nodes");
    }
  }

  GradientFn Rule(const Node& node) const {
    if (node.op->gradient.kind == Differentiation::Kind::kRule) return node.op->gradient.rule;
    if (node.op->gradient.kind == Differentiation::Kind::kBlocks) {
      return [](Gradient& g) { return Values(g.num_inputs()); };
    }
    if (node.op->kind == OpKind::kCall) return FunctionGradient().rule;
    throw Unimplemented("the function '", body_.name, "' cannot be differentiated: no gradient is defined for '",
                        node.name, "' (", node.op->name, ")");
  }

  Endpoint ArgGradient(NodeId arg) {
    const Endpoint value = {copy_[Index(arg)], 0};
    const GradientValue sum = Sum(value);
    if (!sum.IsNone()) return sum.values;
    const DType type = builder_.dtype(value);
    if (type == DType::kResource || type == DType::kString) {
      throw Unimplemented("the gradient of the function '", body_.name, "' with respect to its argument '",
                          body_.graph.node(arg).name, "' of type ", DTypeName(type), " is not defined");
    }
    return builder_.Call("ZerosLike", {value});
  }

  const FunctionBody& body_;
  GraphBuilder builder_;
  std::vector<NodeId> order_;
  std::vector<NodeId> copy_;  // of the body's nodes
  std::vector<NodeId> args_;
  std::vector<bool> reached_;  // by an argument; of the copies
  std::map<Endpoint, std::vector<Endpoint>> received_;
};

Values CallGradient(Gradient& g) {
  std::vector<Endpoint> inputs = g.op().inputs;
  const auto called = FunctionsCalledBy(g.op());
  std::vector<DType> arg_types;
  for (const DType type : g.op().input_types) arg_types.push_back(Base(type));
  for (int i = 0; i < g.num_outputs(); ++i) inputs.push_back(g.dy(i));
  const NodeId gradient = g.Add("SymbolicGradient", inputs, {{"Tout", arg_types}, {"f", called[0].function}});
  Values dxs;
  for (int i = 0; i < static_cast<int>(arg_types.size()); ++i) dxs.emplace_back(Endpoint{gradient, i});
  return dxs;
}

}  // namespace

bool IsGradient(const FunctionRef& function) {
  const OpDef* op = FindOp(function.name);
  return op != nullptr && op->kind == OpKind::kSymbolicGradient;
}

const FunctionRef& Differentiated(const FunctionRef& gradient) {
  Require(gradient.attrs != nullptr, "a reference to the gradient of a function does not say of which");
  return GetAttr<FunctionRef>(*gradient.attrs, "f");
}

FunctionBody MakeGradientBody(const FunctionBody& body) { return BodyGradient(body).Build(); }

Differentiation FunctionGradient() { return {CallGradient}; }

}  // namespace plumb
