#include "spec/graph/fused_nodes.h"

#include <algorithm>
#include <map>
#include <numbers>

#include "spec/core/scalar.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

constexpr std::string_view kFused = "_Fused";
// More of them no optimizer fuses; it bounds what a hostile node can make us build.
constexpr size_t kMostSteps = 16;

// A fused node's parts, which run where and when it would have.
class Parts {
 public:
  Parts(Graph& graph, NodeId fused) : graph_(graph), fused_(graph.node(fused)) {}

  const Node& fused() const { return fused_; }
  DType dtype() const { return GetAttr<DType>(fused_.attrs, "T"); }

  // Attributes that `op` shares with the fused node are the same, but for those given.
  Endpoint Call(const std::string& op, std::vector<Endpoint> inputs, AttrMap attrs = {}) {
    for (const AttrDef& attr : GetOp(op).attrs) {
      const auto shared = fused_.attrs.find(attr.name);
      if (shared != fused_.attrs.end()) attrs.emplace(attr.name, shared->second);
    }
    return Add(op, std::move(inputs), fused_.control_inputs, std::move(attrs));
  }
  // `beside` is in the same frame, and so the number is.
  Endpoint Number(double value, Endpoint beside) {
    return Add("Const", {}, {beside.node}, {{"dtype", dtype()}, {"value", ScalarTensor(value, dtype())}});
  }
  void Finish(Endpoint result) {
    NodeDef def = DefOf("Identity", {{"T", graph_.TypeOf(result)}});
    def.name = fused_.name;
    Node identity = graph_.Prepare(def, {result}, fused_.control_inputs);
    identity.id = fused_.id;
    graph_.Edit(fused_.id) = std::move(identity);
  }

 private:
  // What begins with '_' is of the node and not of its op: who it lies with, for one.
  NodeDef DefOf(const std::string& op, AttrMap attrs) const {
    NodeDef def;
    def.op = op;
    def.device = fused_.device;
    for (const auto& [name, value] : fused_.attrs) {
      if (name.starts_with('_')) attrs.emplace(name, value);
    }
    def.attrs = std::move(attrs);
    return def;
  }
  Endpoint Add(const std::string& op, std::vector<Endpoint> inputs, std::vector<NodeId> before, AttrMap attrs) {
    NodeDef def = DefOf(op, std::move(attrs));
    do {
      const int number = used_[op]++;
      def.name = number == 0 ? Str(fused_.name, "/", op) : Str(fused_.name, "/", op, "_", number);
    } while (graph_.Find(def.name));
    return {graph_.Add(def, std::move(inputs), std::move(before)), 0};
  }

  Graph& graph_;
  const Node fused_;
  std::map<std::string, int> used_;  // how often each op's name was
};

// x Φ(x), with the normal distribution's Φ = (1 + erf(x / √2)) / 2 or what it is near:
// (1 + tanh(√(2 / π) (x + 0.044715 x³))) / 2.
Endpoint Gelu(Parts& parts, Endpoint x, bool is_exact) {
  const auto times = [&](Endpoint a, Endpoint b) { return parts.Call("Mul", {a, b}); };
  Endpoint rising;
  if (is_exact) {
    rising = parts.Call("Erf", {times(x, parts.Number(1 / std::numbers::sqrt2, x))});
  } else {
    const Endpoint cube = times(times(x, x), times(x, parts.Number(0.044715, x)));
    const double scale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    rising = parts.Call("Tanh", {times(parts.Call("AddV2", {x, cube}), parts.Number(scale, x))});
  }
  return times(times(x, parts.Number(0.5, x)), parts.Call("AddV2", {rising, parts.Number(1, x)}));
}

bool IsGelu(const std::string& step) { return step == "GeluExact" || step == "GeluApproximate"; }

// The op of this name, if all its inputs are of one type that may be `dtype`.
const OpDef* OpFor(const std::string& name, DType dtype) {
  const OpDef* const op = FindOp(name);
  const AttrDef* const type = op == nullptr ? nullptr : op->FindAttr("T");
  if (type == nullptr || op->is_stateful || op->inputs.empty() || op->outputs.empty()) return nullptr;
  const auto is_single = [](const ArgDef& arg) {
    return arg.type_attr == "T" && arg.number_attr.empty() && !arg.is_ref;
  };
  if (!std::all_of(op->inputs.begin(), op->inputs.end(), is_single) || !is_single(op->outputs[0])) return nullptr;
  const std::vector<DType>& allowed = type->allowed_types;
  const bool fits = allowed.empty() || std::find(allowed.begin(), allowed.end(), dtype) != allowed.end();
  return fits ? op : nullptr;
}

// A step is named after the op that it applies to the value so far and to the next arguments. Its attributes are those
// of a model that is not trained.
Endpoint Applied(Parts& parts, const std::string& step, std::vector<Endpoint> inputs) {
  if (IsGelu(step)) return Gelu(parts, inputs[0], step == "GeluExact");
  const OpDef& op = GetOp(step);
  const AttrMap& fused = parts.fused().attrs;
  AttrMap attrs;
  if (op.FindAttr("is_training") != nullptr) attrs.emplace("is_training", false);
  if (op.FindAttr("alpha") != nullptr) attrs.emplace("alpha", GetAttr<float>(fused, "leakyrelu_alpha"));
  if (op.FindAttr("data_format") != nullptr) {  // these ops name the order of channels as images have it
    const bool channels_first = GetAttrOr<std::string>(fused, "data_format", "NHWC").starts_with("NC");
    attrs.emplace("data_format", std::string(channels_first ? "NCHW" : "NHWC"));
  }
  return parts.Call(step, std::move(inputs), std::move(attrs));
}

// Whether nothing is asked for that the ops of product and steps cannot say, and all arguments have a step.
bool AreSteps(const Node& fused, const std::string& product, const std::vector<std::string>& steps) {
  const auto dtype = GetAttr<DType>(fused.attrs, "T");
  const OpDef* const op = OpFor(product, dtype);
  if (op == nullptr || GetAttrOr<int64_t>(fused.attrs, "num_host_args", 0) != 0) return false;
  if (GetAttrOr<std::string>(fused.attrs, "filter_format", "HWIO") != "HWIO") return false;
  if (!GetAttrOr<std::vector<int64_t>>(fused.attrs, "padding_list", {}).empty()) return false;
  if (steps.size() > kMostSteps) return false;
  size_t arguments = op->inputs.size();
  for (const std::string& step : steps) {
    if (IsGelu(step)) continue;
    const OpDef* const applied = OpFor(step, dtype);
    if (applied == nullptr) return false;
    arguments += applied->inputs.size() - 1;
  }
  return arguments == fused.inputs.size();
}

// "_FusedMatMul": the product MatMul, and steps behind it.
void TakeProductApart(Graph& graph, NodeId id) {
  const std::string product = graph.node(id).op->name.substr(kFused.size());
  const auto steps = GetAttr<std::vector<std::string>>(graph.node(id).attrs, "fused_ops");
  if (!AreSteps(graph.node(id), product, steps)) return;
  Parts parts(graph, id);
  auto next = parts.fused().inputs.begin();
  const auto take = [&](size_t count, std::vector<Endpoint> inputs) {
    inputs.insert(inputs.end(), next, next + static_cast<std::ptrdiff_t>(count));
    next += static_cast<std::ptrdiff_t>(count);
    return inputs;
  };
  Endpoint value = parts.Call(product, take(GetOp(product).inputs.size(), {}));
  for (const std::string& step : steps) {
    value = Applied(parts, step, take(IsGelu(step) ? 0 : GetOp(step).inputs.size() - 1, {value}));
  }
  parts.Finish(value);
}

// Ops of one input, one behind the other.
void TakeChainApart(Graph& graph, NodeId id) {
  const auto steps = GetAttr<std::vector<std::string>>(graph.node(id).attrs, "op_names");
  const auto dtype = GetAttr<DType>(graph.node(id).attrs, "T");
  const auto is_unary = [&](const std::string& name) {
    const OpDef* const op = OpFor(name, dtype);
    return op != nullptr && op->inputs.size() == 1;
  };
  if (steps.size() > kMostSteps || !std::all_of(steps.begin(), steps.end(), is_unary)) return;
  Parts parts(graph, id);
  Endpoint value = parts.fused().inputs[0];
  for (const std::string& step : steps) value = parts.Call(step, {value});
  parts.Finish(value);
}

void TakeHashApart(Graph& graph, NodeId id) {
  Parts parts(graph, id);
  const Endpoint text = parts.Call("AsString", {parts.fused().inputs[0]});
  parts.Finish(parts.Call("StringToHashBucketFast", {text}));
}

}  // namespace

void TakeFusedNodesApart(Graph& graph) {
  const int size = graph.size();
  for (int i = 0; i < size; ++i) {
    const auto id = NodeId(i);
    const std::string& op = graph.node(id).op->name;
    if (op.starts_with(kFused) && graph.node(id).attrs.contains("fused_ops")) TakeProductApart(graph, id);
    if (op == "_UnaryOpsComposition") TakeChainApart(graph, id);
    if (op == "_TensorToHashBucketFast") TakeHashApart(graph, id);
  }
}

}  // namespace plumb
