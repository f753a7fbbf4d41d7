#include "conformance/suites/single_node.h"

#include <algorithm>

#include "spec/ops/dims.h"
#include "spec/ops/equivalence.h"

namespace plumb::conformance {
namespace {

// One that may hold all of these ops (rule V2).
int ProducerOf(const OpDef& op, const SampledCase& sampled) {
  int producer = kGraphVersion;
  const auto allow = [&](const OpDef& held) {
    if (held.deprecated.version > 0) producer = std::min(producer, held.deprecated.version - 1);
  };
  allow(op);
  for (const auto* nodes : {&sampled.before, &sampled.after}) {
    for (const SampledNode& node : *nodes) allow(*node.op);
  }
  return producer;
}

class Maker {
 public:
  Maker(const OpDef& op, const SampledCase& sampled) : sampled_(sampled) {
    made_.graph.versions.producer = ProducerOf(op, sampled);
    for (const SampledNode& node : sampled.before) AddScenarioNode(node);
    AddTried(op);
    for (const SampledNode& node : sampled.after) AddScenarioNode(node);
    if (made_.run.fetches.empty()) made_.run.targets = {last_};
  }
  SingleNode Take() { return std::move(made_); }

 private:
  void AddTried(const OpDef& op) {
    NodeDef node = Node(kTried, op.name, sampled_.attrs);
    size_t next = 0;
    for (const ArgDef& arg : op.inputs) {
      for (int64_t i = CountValues(arg, sampled_.attrs); i > 0; --i, ++next) {
        const auto from = sampled_.from.find(next);
        node.inputs.push_back(from != sampled_.from.end() ? NameOf(from->second)
                                                          : AddInput(arg, Str(next), sampled_.inputs.at(next)));
      }
    }
    // What a reference leads to shows when the nodes behind have run.
    const bool is_done = sampled_.after.empty();
    Append(std::move(node));
    FetchOutputs(op, sampled_.attrs, kTried, is_done);
  }

  // A node of a scenario, by the name that the sample gives it. Those behind what is tried show what it left.
  void AddScenarioNode(const SampledNode& sampled) {
    const bool is_behind = has_tried_;
    NodeDef node = Node(sampled.name, sampled.op->name, sampled.attrs);
    size_t next = 0;
    for (const ArgDef& arg : sampled.op->inputs) {
      for (int64_t i = CountValues(arg, sampled.attrs); i > 0; --i, ++next) {
        const SampledInput& input = sampled.inputs.at(next);
        const auto* output = std::get_if<SampledOutput>(&input);
        node.inputs.push_back(output != nullptr ? NameOf(*output)
                                                : AddInput(arg, Str(sampled.name, "_", next), std::get<Tensor>(input)));
      }
    }
    Append(std::move(node));
    if (is_behind) FetchOutputs(*sampled.op, sampled.attrs, sampled.name, true);
  }

  static std::string NameOf(const SampledOutput& output) {
    return Str(output.node == "this" ? std::string(kTried) : output.node, ":", output.output);
  }

  // The nodes of a scenario run in the order in which they are written.
  void Append(NodeDef node) {
    if (!sampled_.StandsAlone() && !last_.empty()) node.inputs.push_back("^" + last_);
    last_ = node.name;
    has_tried_ |= last_ == kTried;
    made_.graph.nodes.push_back(std::move(node));
  }

  // Handles differ from run to run and show nothing.
  void FetchOutputs(const OpDef& op, const AttrMap& attrs, const std::string& name, bool with_references) {
    int output = 0;
    for (const ArgDef& arg : op.outputs) {
      for (int64_t i = CountValues(arg, attrs); i > 0; --i, ++output) {
        if (!LeadsSomewhere(arg) && (with_references || !arg.is_ref))
          made_.run.fetches.push_back(Str(name, ":", output));
      }
    }
  }

  static NodeDef Node(const std::string& name, const std::string& op, AttrMap attrs) {
    return {.name = name, .op = op, .inputs = {}, .device = {}, .attrs = std::move(attrs), .debug_info = {}};
  }

  // Returns what the node's input is connected to.
  std::string AddInput(const ArgDef& arg, const std::string& suffix, const Tensor& value) {
    std::string fed = "input_" + suffix, variable = "variable_" + suffix;
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
    const AttrMap attrs = {{"dtype", value.dtype()},
                           {"shape", PartialShape(value.shape())},
                           {"shared_name", name}};  // R3: else one for all
    AddNode(Node(name, op, attrs), {});
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
  std::string last_;  // the node added last, inputs aside
  bool has_tried_ = false;
};

}  // namespace

SingleNode MakeSingleNode(const OpDef& op, const SampledCase& sampled) { return Maker(op, sampled).Take(); }

}  // namespace plumb::conformance
