#include "spec/graph/function_body.h"

#include <algorithm>

#include "spec/graph/fused_nodes.h"
#include "spec/ops/op_def.h"
#include "spec/validate/attributes.h"
#include "spec/validate/control_flow.h"
#include "spec/validate/devices.h"
#include "spec/validate/signatures.h"
#include "spec/validate/structure.h"

namespace plumb {
namespace {

// A3: what a placeholder stands for, also inside the bindings of functions that are named.
class Substitution {
 public:
  explicit Substitution(const AttrMap& bindings) : bindings_(bindings) {}

  AttrMap Of(AttrMap attrs) const {
    for (auto& [name, value] : attrs) value = Of(value);
    return attrs;
  }

 private:
  AttrValue Of(const AttrValue& value) const {
    if (const auto* placeholder = value.Get<AttrPlaceholder>()) {
      const auto bound = bindings_.find(placeholder->name);
      Require(bound != bindings_.end(), "an attribute stands for '", placeholder->name,
              "', which is no attribute of the function");
      return bound->second;
    }
    if (const auto* function = value.Get<FunctionRef>()) return Of(*function);
    if (const auto* list = value.Get<std::vector<FunctionRef>>()) {
      std::vector<FunctionRef> bound;
      for (const FunctionRef& function : *list) bound.push_back(Of(function));
      return bound;
    }
    return value;
  }
  FunctionRef Of(const FunctionRef& function) const {
    if (function.attrs == nullptr) return function;
    return {function.name, std::make_shared<const AttrMap>(Of(*function.attrs))};
  }

  const AttrMap& bindings_;
};

class Instantiation {
 public:
  Instantiation(const FunctionDef& function, const AttrMap* bindings, const FunctionLibrary& library)
      : function_(function), library_(library) {
    if (bindings != nullptr) bindings_ = *bindings;
    CompleteAttributes(function.signature, bindings_);
  }

  FunctionBody Build() {
    body_.name = function_.signature.name;
    AddArguments();
    for (const NodeDef& node : function_.nodes) AddNode(node);
    for (size_t i = 0; i < function_.nodes.size(); ++i) Connect(function_.nodes[i], NodeId(first_node_ + i));
    for (const Node& node : body_.graph.nodes()) CheckEdges(body_.graph, node);
    TakeFusedNodesApart(body_.graph);
    CheckCycles(body_.graph);
    CheckDevices(body_.graph);
    AddResults();
    AddEffects();
    return std::move(body_);
  }

 private:
  // FN3: an argument that stands for several values is "x:0", "x:1", …; all of them are "x".
  void AddArguments() {
    for (const ArgDef& arg : function_.signature.inputs) {
      Require(!arg.is_ref, "the argument '", arg.name, "' is a reference; functions take values");
      const std::vector<DType> types = ExpandTypes(arg, bindings_);
      std::vector<Endpoint> values;
      for (size_t i = 0; i < types.size(); ++i) {
        NodeDef def;
        def.name = types.size() == 1 ? arg.name : Str(arg.name, "_", i);
        def.op = "_Arg";
        def.attrs = {{"T", types[i]}, {"index", static_cast<int64_t>(body_.args.size())}};
        body_.args.push_back(Append(def));
        values.push_back({body_.args.back(), 0});
        Define(Str(arg.name, ":", i), {values.back()});
        before_.emplace(arg.name, body_.args.back());
      }
      Define(arg.name, std::move(values));
    }
    first_node_ = body_.graph.size();
  }

  void AddNode(NodeDef def) {
    def.attrs = Substitution(bindings_).Of(std::move(def.attrs));
    const NodeId id = Append(def);
    Require(before_.emplace(def.name, id).second, "the name '", def.name, "' is used twice");
    const Node& node = body_.graph.node(id);
    int32_t next = 0;
    for (const ArgDef& output : node.op->outputs) {
      std::vector<Endpoint> values;
      const size_t count = ExpandTypes(output, node.attrs).size();
      for (size_t i = 0; i < count; ++i) {
        values.push_back({id, next++});
        Define(Str(def.name, ":", output.name, ":", i), {values.back()});
      }
      Define(Str(def.name, ":", output.name), std::move(values));
    }
  }

  NodeId Append(const NodeDef& def) {
    CheckNodeName(def.name, NameOrigin::kRuntime);
    Node node = ResolveNode(def, &library_);
    const size_t most = MostOutputs(function_.nodes.size());
    outputs_ += node.output_types.size();
    Require(outputs_ <= most, "node '", def.name, "': the nodes have more outputs than a body of its size may have");
    // A name may stand for several values, so that what a node lacks is only seen when all are known.
    unnamed_inputs_ += node.input_types.size() - std::min(def.inputs.size(), node.input_types.size());
    Require(unnamed_inputs_ <= most, "node '", def.name,
            "': the nodes take more inputs than a body of its size may have, beyond those that they name");
    return body_.graph.Append(std::move(node));
  }

  void Define(std::string name, std::vector<Endpoint> values) {
    Require(values_.emplace(name, std::move(values)).second, "the name '", name, "' is used twice");
  }

  const std::vector<Endpoint>& ValuesOf(const std::string& name, std::string_view user) const {
    const auto found = values_.find(name);
    Require(found != values_.end(), user, " has the unknown input '", name,
            "'; a body names its arguments, and outputs of its nodes as 'node:output:0'");
    return found->second;
  }

  void Connect(const NodeDef& def, NodeId id) {
    Node& node = body_.graph.Edit(id);
    const std::string user = Str("node '", def.name, "'");
    for (const std::string& input : def.inputs) {
      if (!input.starts_with('^')) {
        Require(node.control_inputs.empty(), user, ": the data input '", input, "' stands after a control input");
        const std::vector<Endpoint>& values = ValuesOf(input, user);
        node.inputs.insert(node.inputs.end(), values.begin(), values.end());
        Require(node.inputs.size() <= node.input_types.size(), user, " has more data inputs than the ",
                node.input_types.size(), " of its signature");
        continue;
      }
      const auto before = before_.find(input.substr(1));
      Require(before != before_.end(), user, " has the unknown control input '", input, "'");
      node.control_inputs.push_back(before->second);
    }
    RemoveRepetitions(node.control_inputs);
  }

  void AddResults() {
    for (const ArgDef& output : function_.signature.outputs) {
      Require(!output.is_ref, "the result '", output.name, "' is a reference; functions give values");
      const auto named = function_.results.find(output.name);
      Require(named != function_.results.end(), "nothing is said to be the result '", output.name, "'");
      const std::string user = Str("the result '", output.name, "'");
      const std::vector<Endpoint>& values = ValuesOf(named->second, user);
      const std::vector<DType> types = ExpandTypes(output, bindings_);
      Require(values.size() == types.size(), user, " has ", types.size(), " values, but '", named->second, "' has ",
              values.size());
      for (size_t i = 0; i < types.size(); ++i) {
        const DType actual = body_.graph.TypeOf(values[i]);
        Require(MayFlow(actual, types[i]), user, " is ", DTypeName(types[i]), ", but '", named->second, "' is ",
                DTypeName(actual));
        body_.results.push_back(values[i]);
      }
    }
  }

  void AddEffects() {
    body_.effects = StatefulNodes(body_.graph);
    for (const auto& [name, node] : function_.control_results) {
      const auto found = before_.find(node);
      Require(found != before_.end(), "the control result '", name, "' is the unknown node '", node, "'");
      if (body_.graph.node(found->second).op->kind != OpKind::kPlaceholder) body_.effects.push_back(found->second);
    }
    RemoveRepetitions(body_.effects);
  }

  const FunctionDef& function_;
  const FunctionLibrary& library_;
  AttrMap bindings_;
  FunctionBody body_;
  int first_node_ = 0;
  size_t outputs_ = 0, unnamed_inputs_ = 0;
  std::map<std::string, std::vector<Endpoint>> values_;  // what each name means
  std::map<std::string, NodeId> before_;                 // of arguments and nodes, for control inputs
};

}  // namespace

FunctionBody Instantiate(const FunctionDef& function, const AttrMap* bindings, const FunctionLibrary& library) {
  try {
    return Instantiation(function, bindings, library).Build();
  } catch (const Error& error) {
    throw Error(error.status().WithMessage(Str("function '", function.signature.name, "': ", error.what())));
  }
}

std::vector<bool> FunctionBody::Needed() const {
  std::vector<NodeId> roots = effects;
  for (const Endpoint result : results) roots.push_back(result.node);
  return ReachableBackwards(graph, roots);
}

std::string NameInBody(const Node& node, int32_t output) {
  int32_t first = 0;
  for (const ArgDef& arg : node.op->outputs) {
    const auto count = static_cast<int32_t>(ExpandTypes(arg, node.attrs).size());
    if (output < first + count) return Str(node.name, ":", arg.name, ":", output - first);
    first += count;
  }
  throw Internal("node '", node.name, "' has an output that its signature does not name");
}

std::vector<NodeId> StatefulNodes(const Graph& graph) {
  std::vector<NodeId> stateful;
  for (const Node& node : graph.nodes()) {
    if (node.op->is_stateful && node.op->kind != OpKind::kPlaceholder) stateful.push_back(node.id);
  }
  return stateful;
}

}  // namespace plumb
