#include "spec/graph/function_gradient.h"

#include <algorithm>

#include "spec/graph/builder.h"
#include "spec/graph/function_body.h"
#include "spec/graph/function_calls.h"
#include "spec/graph/function_frames.h"
#include "spec/graph/function_loops.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/traits.h"
#include "spec/validate/control_flow.h"
#include "spec/validate/signatures.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// ER11: gradients of gradients grow; this bounds what a short reference can make us build.
constexpr int kMostNodes = 1 << 20;

// Pops: gives a value for nothing but the handle of a stack.
bool TakesFromStack(const Node& node) {
  const std::vector<ArgDef>& inputs = node.op->inputs;
  return inputs.size() == 1 && inputs[0].handle == "Stack" && !node.output_types.empty();
}

// No edge leads from what a loop pushes to what is popped, so a gradient would miss it (D37).
void RefuseSecondOrder(const FunctionBody& body) {
  const std::vector<bool> needed = body.Needed();
  for (const Node& node : body.graph.nodes()) {
    if (!TakesFromStack(node) || !needed[Index(node.id)] || !HasGradient(node.output_types[0])) continue;
    throw Unimplemented("second-order gradients of while loops are not supported: '", node.name,
                        "' belongs to the backward loop '", body.name, "'");
  }
}

// D20: each input's gradient arrives where that input was taken.
Values MergeGradient(Gradient& g) {
  Values dxs;
  for (int i = 0; i < g.num_inputs(); ++i) {
    const Endpoint taken = g.Call("Equal", {g.y(1), g.Scalar(i, DType::kInt32)});
    dxs.emplace_back(Endpoint{g.Add("Switch", {g.dy(), taken}), 1});
  }
  return dxs;
}

// D20: the gradients of both sides meet.
Values SwitchGradient(Gradient& g) {
  std::vector<Endpoint> sides;
  for (const int side : {0, 1}) sides.push_back({g.Add("Switch", {g.dy(side), g.x(1)}), side});
  return {g.Call("Merge", sides), GradientValue::None()};
}

class BodyGradient {
 public:
  BodyGradient(const FunctionLibrary& library, const FunctionBody& body)
      : library_(library), body_(body), copy_(body.graph.size()) {}

  FunctionBody Build() {
    RefuseSecondOrder(body_);
    const std::vector<NodeId> order = TopologicalOrder(body_.graph);
    for (const NodeId arg : body_.args) AddArg(body_.graph.node(arg).name, body_.graph.TypeOf({arg, 0}), arg);
    for (const NodeId id : order) Copy(body_.graph.node(id));
    AddResultGradients();
    for (auto id = order.rbegin(); id != order.rend(); ++id) Differentiate(copy_[Index(*id)].node);
    FunctionBody gradient;
    for (const NodeId arg : body_.args) gradient.results.push_back(ArgGradient(arg));
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
    if (original == NodeId::kNone) return;
    copy_[Index(original)] = {args_.back()};
    SetReached(args_.back(), HasGradient(type));
  }

  void SetReached(NodeId copied, bool reached) {
    reached_.resize(static_cast<size_t>(builder_.graph().size()));
    reached_[Index(copied)] = reached;
  }

  void Copy(const Node& node) {
    if (node.op->kind == OpKind::kPlaceholder && std::count(body_.args.begin(), body_.args.end(), node.id) > 0) return;
    std::vector<Endpoint> inputs;
    bool reached = false;
    for (const Endpoint input : node.inputs) {
      inputs.push_back(Copied(input));
      const bool differentiable = HasGradient(Base(body_.graph.TypeOf(input)));
      reached = reached || (differentiable && reached_[Index(inputs.back().node)]);
    }
    copy_[Index(node.id)] = CopyOver(inputs, node, reached);
    SetReached(copy_[Index(node.id)].node, reached);
  }

  // A call of a function by its name becomes a call by its reference, for the builder knows ops only; a loop that is
  // differentiated one that keeps its turns.
  RecordedLoop CopyOver(const std::vector<Endpoint>& inputs, const Node& node, bool reached) {
    GraphBuilder::Options options{.name = node.name, .device = node.device, .control_inputs = {}};
    for (const NodeId before : node.control_inputs) options.control_inputs.push_back(copy_[Index(before)].node);
    if (node.op->kind == OpKind::kWhile && !CountsTurns(*node.op) && reached) {
      return AddRecordedLoop(builder_, library_, node, inputs, std::move(options));
    }
    if (FindOp(node.op->name) != nullptr) return {builder_.Add(node.op->name, inputs, node.attrs, std::move(options))};
    const AttrMap attrs = {
        {"Tin", node.input_types}, {"Tout", node.output_types}, {"f", FunctionsCalledBy(node)[0].function}};
    return {builder_.Add(node.op->is_stateful ? "StatefulPartitionedCall" : "PartitionedCall", inputs, attrs,
                         std::move(options))};
  }

  Endpoint Copied(Endpoint original) const {
    const RecordedLoop& copy = copy_[Index(original.node)];
    return {copy.node, copy.first + original.output};
  }

  void AddResultGradients() {
    for (size_t i = 0; i < body_.results.size(); ++i) {
      const DType type = Base(body_.graph.TypeOf(body_.results[i]));
      AddArg(Str("gradient_", i), type, NodeId::kNone);
      if (HasGradient(type)) Receive(Copied(body_.results[i]), GradientValue(Endpoint{args_.back(), 0}));
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
    const Values dxs = Apply(node, gradient);
    if (dxs.size() != node.inputs.size()) throw Internal("the gradient rule of ", node.op->name, " misses inputs");
    for (size_t i = 0; i < dxs.size(); ++i) Receive(node.inputs[i], dxs[i]);
    if (builder_.graph().size() > kMostNodes) {
      throw ResourceExhausted("the gradient of the function '", body_.name, "' has more than ", kMostNodes, " nodes");
    }
  }

  Values Apply(const Node& node, Gradient& g) const {
    if (node.op->kind == OpKind::kWhile && !CountsTurns(*node.op)) return RecordedLoopGradient(library_, g);
    const Differentiation how = DifferentiationOf(*node.op);
    const bool is_control_flow = how.kind == Differentiation::Kind::kControlFlow;
    if (is_control_flow && node.op->kind == OpKind::kMerge) return MergeGradient(g);
    if (is_control_flow && node.op->kind == OpKind::kSwitch) return SwitchGradient(g);
    if (how.kind == Differentiation::Kind::kRule) return how.rule(g);
    if (how.kind == Differentiation::Kind::kBlocks) return Values(node.inputs.size());
    throw Unimplemented("the function '", body_.name, "' cannot be differentiated: no gradient is defined for '",
                        node.name, "' (", node.op->name, ")");
  }

  Endpoint ArgGradient(NodeId arg) {
    const Endpoint value = Copied({arg, 0});
    const GradientValue sum = Sum(value);
    if (!sum.IsNone()) return sum.values;
    const DType type = builder_.dtype(value);
    if (type == DType::kResource || type == DType::kString) {
      throw Unimplemented("the gradient of the function '", body_.name, "' with respect to its argument '",
                          body_.graph.node(arg).name, "' of type ", DTypeName(type), " is not defined");
    }
    return builder_.Call("ZerosLike", {value});
  }

  const FunctionLibrary& library_;
  const FunctionBody& body_;
  GraphBuilder builder_;
  std::vector<RecordedLoop> copy_;  // of the body's nodes; most are no loops
  std::vector<NodeId> args_;
  std::vector<bool> reached_;  // by an argument; of the copies
  std::map<Endpoint, std::vector<Endpoint>> received_;
};

// The op as a function: its inputs are the arguments, its outputs the results.
FunctionBody OpAsFunction(const FunctionRef& op) {
  FunctionBody body;
  body.name = op.name;
  const auto resolve = [](std::string name, const std::string& type, AttrMap attrs) {
    NodeDef def;
    def.name = std::move(name);
    def.op = type;
    def.attrs = std::move(attrs);
    return ResolveNode(def);
  };
  Node node = resolve("op", op.name, op.attrs == nullptr ? AttrMap() : *op.attrs);
  for (const DType type : node.input_types) {
    Require(!IsRef(type), "the op '", op.name, "' takes a reference, so that it is no function");
    const auto index = static_cast<int64_t>(body.args.size());
    body.args.push_back(body.graph.Append(resolve(Str("x", index), "_Arg", {{"T", type}, {"index", index}})));
    node.inputs.push_back({body.args.back(), 0});
  }
  const NodeId id = body.graph.Append(std::move(node));
  const auto results = static_cast<int32_t>(body.graph.node(id).output_types.size());
  for (int32_t i = 0; i < results; ++i) body.results.push_back({id, i});
  body.effects = StatefulNodes(body.graph);
  return body;
}

// FN8. Where the functions are at hand, what cannot be differentiated shows at once.
Values GradientOf(Gradient& g, const FunctionRef& function) {
  std::vector<Endpoint> inputs = g.op().inputs;
  std::vector<DType> types;
  for (const DType type : g.op().input_types) types.push_back(Base(type));
  for (int i = 0; i < g.num_outputs(); ++i) inputs.push_back(g.dy(i));
  const NodeId gradient = g.Add("SymbolicGradient", inputs, {{"Tout", types}, {"f", function}});
  const Graph& graph = g.builder().graph();
  if (graph.functions() != nullptr) CheckCalls(graph.functions().get(), graph.node(gradient));
  Values dxs(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    if (HasGradient(types[i])) dxs[i] = Endpoint{gradient, static_cast<int32_t>(i)};
  }
  return dxs;
}

Values CallGradient(Gradient& g) { return GradientOf(g, FunctionsCalledBy(g.op())[0].function); }

Values WhileGradient(Gradient& g) { return GradientOf(g, {g.op().op->name, Bindings(*g.op().op, g.op().attrs)}); }

}  // namespace

bool HasGradient(DType type) { return IsFloating(type) || IsComplex(type) || type == DType::kVariant; }

bool IsGradient(const FunctionRef& function) {
  const OpDef* op = FindOp(function.name);
  return op != nullptr && op->kind == OpKind::kSymbolicGradient;
}

const FunctionRef& Differentiated(const FunctionRef& gradient) {
  Require(gradient.attrs != nullptr, "a reference to the gradient of a function does not say of which");
  return GetAttr<FunctionRef>(*gradient.attrs, "f");
}

FunctionBody MakeGradientBody(const FunctionLibrary& library, const FunctionRef& function) {
  const bool is_op = FindOp(function.name) != nullptr && !IsGradient(function);
  if (is_op) return BodyGradient(library, OpAsFunction(function)).Build();
  const FunctionBody& body = library.Body(function);
  if (!HasFrames(body)) return BodyGradient(library, body).Build();
  return BodyGradient(library, WithoutFrames(body, function)).Build();
}

Differentiation FunctionGradient() { return {CallGradient}; }
Differentiation LoopGradient() { return {WhileGradient}; }

Differentiation DifferentiationOf(const OpDef& op) {
  const bool is_called_by_name = op.kind == OpKind::kCall && IsCallByName(op);
  return is_called_by_name || Has(op, Trait::kDifferentiatesBody) ? FunctionGradient() : op.gradient;
}

}  // namespace plumb
