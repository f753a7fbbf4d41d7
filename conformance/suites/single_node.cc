#include "conformance/suites/single_node.h"

#include "spec/ops/dims.h"

namespace plumb::conformance {
namespace {

class Maker {
 public:
  Maker(const OpDef& op, const SampledCase& sampled) : sampled_(sampled) {
    const int removed = op.deprecated.version;
    made_.graph.versions.producer = removed == 0 ? kGraphVersion : removed - 1;
    NodeDef node = Node("node", op.name, sampled.attrs);
    size_t next = 0;
    for (const ArgDef& arg : op.inputs) {
      for (int64_t i = CountValues(arg, sampled.attrs); i > 0; --i) node.inputs.push_back(AddInput(arg, next++));
    }
    made_.graph.nodes.push_back(std::move(node));
    int64_t outputs = 0;
    for (const ArgDef& arg : op.outputs) outputs += CountValues(arg, sampled.attrs);
    for (int64_t i = 0; i < outputs; ++i) made_.run.fetches.push_back(Str("node:", i));
    if (outputs == 0) made_.run.targets = {"node"};
  }
  SingleNode Take() { return std::move(made_); }

 private:
  static NodeDef Node(const std::string& name, const std::string& op, AttrMap attrs) {
    return {.name = name, .op = op, .inputs = {}, .device = {}, .attrs = std::move(attrs), .debug_info = {}};
  }

  // Returns what the node's input is connected to.
  std::string AddInput(const ArgDef& arg, size_t i) {
    const Tensor& value = sampled_.inputs.at(i);
    std::string fed = Str("input_", i), variable = Str("variable_", i);
    AddNode(Node(fed, "Placeholder", {{"dtype", value.dtype()}}), {});
    if (arg.is_ref) {
      AddVariable(variable, "VariableV2", "Assign", "T", value, fed);
      made_.inspect.fetches.push_back(variable);
      return variable;
    }
    if (arg.type == DType::kResource) {
      AddVariable(variable, "VarHandleOp", "AssignVariableOp", "dtype", value, fed);
      AddNode(Node("read_" + variable, "ReadVariableOp", {{"dtype", value.dtype()}}), {variable});
      made_.inspect.fetches.push_back("read_" + variable);
      return variable;
    }
    made_.run.feeds.emplace_back(fed, value);
    return fed;
  }

  void AddVariable(const std::string& name, const char* op, const char* assign, const char* type_attr,
                   const Tensor& value, const std::string& fed) {
    AddNode(Node(name, op, {{"dtype", value.dtype()}, {"shape", PartialShape(value.shape())}}), {});
    AddNode(Node("assign_" + name, assign, {{type_attr, value.dtype()}}), {name, fed});
    made_.initialize.feeds.emplace_back(fed, value);
    made_.initialize.targets.push_back("assign_" + name);
  }

  void AddNode(NodeDef node, std::vector<std::string> inputs) {
    node.inputs = std::move(inputs);
    made_.graph.nodes.push_back(std::move(node));
  }

  const SampledCase& sampled_;
  SingleNode made_;
};

}  // namespace

SingleNode MakeSingleNode(const OpDef& op, const SampledCase& sampled) { return Maker(op, sampled).Take(); }

}  // namespace plumb::conformance
