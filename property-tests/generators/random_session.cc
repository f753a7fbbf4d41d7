#include "property-tests/generators/random_session.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "property-tests/generators/rows.h"
#include "property-tests/generators/updates.h"
#include "spec/graph/builder.h"
#include "spec/graph/text_io.h"

namespace plumb::property {
namespace {

using conformance::StepRequest;

constexpr int64_t kSize = 2;  // every value is a vector of two float32, so that any may stand for any other
const AttrMap kValueAttrs = {{"dtype", DType::kFloat}, {"shape", PartialShape({kSize})}};

class Decoder {
 public:
  Decoder(Tape& tape, Smoothness functions, const Declares& declares)
      : tape_(tape), functions_(functions), declares_(declares) {}

  RandomSession Decode() {
    FindWhatIsDeclared();
    for (int i = 1 + tape_.Below(2); i > 0; --i) AddPlaceholder();
    for (int i = 1 + tape_.Below(2); i > 0; --i) AddVariable();
    for (int i = 1 + tape_.Below(24); i > 0; --i) AddNode();
    AddInitialStep();
    for (int i = 1 + tape_.Below(4); i > 0; --i) AddStep();
    AddLastStep();
    session_.graph = builder_.ToGraphDef();
    return std::move(session_);
  }

 private:
  // A variable, and the last node that touched it.
  struct Variable {
    Endpoint handle;
    bool is_ref;
    std::string device;
    NodeId last, initializer;
  };

  // What the backend does not take of the graph that `build` makes of a decoder, and of a placeholder.
  template <class Build>
  std::set<std::string> LackingOf(const Build& build) const {
    Tape simplest({});
    Decoder decoder(simplest, functions_, declares_);
    decoder.AddPlaceholder();
    build(decoder);
    return Undeclared(declares_, decoder.builder_.ToGraphDef());
  }

  void FindWhatIsDeclared() {
    if (!declares_) return;
    std::set<std::string> lacking;
    std::erase_if(forms_, [&](bool is_ref) {
      const auto of_this = LackingOf([&](Decoder& decoder) {
        decoder.forms_ = {is_ref};
        decoder.AddVariable();
        decoder.Read();
        decoder.AddLastStep();
      });
      lacking.insert(of_this.begin(), of_this.end());
      return !of_this.empty();
    });
    if (forms_.empty()) throw NothingToCompare("variables in either form", lacking);
    has_failures_ = LackingOf([](Decoder& decoder) { decoder.AddFailure(); }).empty();
    has_relays_ = LackingOf([](Decoder& decoder) { decoder.Relay(decoder.Any().node); }).empty();
    has_functions_ = AnyDeclaredRow(tape_, DType::kFloat, functions_, declares_) != nullptr &&
                     LackingOf([](Decoder& decoder) { decoder.Compute(); }).empty();
  }

  Endpoint Any() { return values_[tape_.Below(static_cast<int>(values_.size()))]; }
  std::string NameOf(Endpoint value) { return builder_.graph().NameOf(value); }
  const std::string& NameOf(NodeId node) { return builder_.graph().node(node).name; }
  std::string AnyDevice() { return tape_.Chance(30) ? "/cpu:1" : tape_.Chance(30) ? "/cpu:0" : ""; }

  Tensor RandomVector() {
    Tensor tensor(DType::kFloat, {kSize});
    for (float& x : tensor.mutable_data<float>()) x = static_cast<float>(tape_.Number(/*special=*/false));
    return tensor;
  }

  void AddPlaceholder() {
    placeholders_.push_back(builder_.Call("Placeholder", {}, kValueAttrs));
    values_.push_back(placeholders_.back());
  }

  void AddVariable() {
    Variable variable;
    variable.is_ref = tape_.Chance(50) ? forms_.front() : forms_.back();
    variable.device = AnyDevice();
    const GraphBuilder::DeviceScope scope(builder_, variable.device);
    AttrMap attrs = kValueAttrs;
    if (!variable.is_ref) attrs.emplace("shared_name", Str("variable_", variables_.size()));
    variable.handle = builder_.Call(variable.is_ref ? "VariableV2" : "VarHandleOp", {}, attrs);
    const Endpoint value = builder_.Constant(RandomVector());
    variable.initializer = builder_.Add(variable.is_ref ? "Assign" : "AssignVariableOp", {variable.handle, value});
    variable.last = NodeId::kNone;
    variables_.push_back(variable);
  }

  void AddNode() {
    switch (tape_.Below(8)) {
      case 0:
      case 1:
        return Update();
      case 2:
        return Read();
      case 3:
        return AddFailure();
      case 4:
        return AddPlaceholder();
      default:
        return Compute();
    }
  }

  // A row of the catalogue, on any device. Tanh keeps numbers small.
  void Compute() {
    if (!has_functions_) return;
    const GraphBuilder::DeviceScope scope(builder_, AnyDevice());
    const SameShapeRow& row = *AnyDeclaredRow(tape_, DType::kFloat, functions_, declares_);
    std::vector<Endpoint> inputs;
    for (int i = 0; i < row.inputs; ++i) inputs.push_back(Any());
    const Endpoint value = builder_.Call("Tanh", {builder_.Call(row.op->name, inputs, row.attrs)});
    if (tape_.Chance(30)) RunAfter(value.node, NodeId::kNone);
    values_.push_back(value);
  }

  Variable& AnyVariable() { return variables_[tape_.Below(static_cast<int>(variables_.size()))]; }

  // Runs after whatever touched the variable before.
  NodeId Touch(Variable& variable, std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs = {}) {
    const GraphBuilder::DeviceScope scope(builder_, variable.device);
    const NodeId node = builder_.Add(op, inputs, std::move(attrs));
    RunAfter(node, variable.last);
    return variable.last = node;
  }

  // Control edges from `must`, perhaps through nodes on other devices, and from up to three other nodes: each of them
  // has to be waited for, also where two come from the same device.
  void RunAfter(NodeId node, NodeId must) {
    std::vector<NodeId> before;
    for (int i = tape_.Below(4); i > 0; --i) {
      before.push_back(!updates_.empty() && tape_.Chance(50) ? AnyWrite() : Any().node);
    }
    if (must != NodeId::kNone) {
      for (int i = has_relays_ ? tape_.Below(3) : 0; i > 0; --i) must = Relay(must);
      before.insert(before.begin() + tape_.Below(static_cast<int>(before.size()) + 1), must);
    }
    for (const NodeId each : before) {
      const std::vector<NodeId>& known = builder_.graph().node(node).control_inputs;
      if (std::find(known.begin(), known.end(), each) == known.end()) builder_.AddControlInput(node, each);
    }
  }

  NodeId Relay(NodeId before) {
    return builder_.Add("NoOp", {}, {}, {.name = "", .device = AnyDevice(), .control_inputs = {before}});
  }

  NodeId AnyWrite() { return updates_[tape_.Below(static_cast<int>(updates_.size()))]; }

  void Update() {
    Variable& variable = AnyVariable();
    const OpDef* const op = AnyDeclaredUpdate(tape_, variable.is_ref, DType::kFloat, declares_);
    if (op == nullptr) return;
    updates_.push_back(Touch(variable, op->name, UpdateInputs(builder_, *op, variable.handle, {}, Any())));
  }

  // A snapshot: + 0 copies what is behind a reference.
  void Read() {
    Variable& variable = AnyVariable();
    if (!variable.is_ref) {
      return values_.push_back({Touch(variable, "ReadVariableOp", {variable.handle}, {{"dtype", DType::kFloat}}), 0});
    }
    values_.push_back({Touch(variable, "Add", {variable.handle, builder_.Constant(Zeros(DType::kFloat, {kSize}))}), 0});
  }

  // A value that must not be computed unless it is needed. It is not built upon often.
  void AddFailure() {
    if (!has_failures_) return;
    Endpoint value = builder_.Call("CheckNumerics", {builder_.Constant(MakeVector<float>({NAN, 1}))},
                                   {{"message", std::string("this node was not needed")}});
    if (tape_.Chance(50)) value = builder_.Call("Add", {value, Any()});
    failures_.push_back(value);
  }

  void AddInitialStep() {
    StepRequest step;
    for (const Variable& variable : variables_) step.targets.push_back(NameOf(variable.initializer));
    session_.steps.push_back(step);
  }

  void AddStep() {
    StepRequest step;
    std::map<std::string, Tensor> feeds;
    for (const Endpoint placeholder : placeholders_) {
      if (!tape_.Chance(1)) feeds.emplace(NameOf(placeholder), RandomVector());
    }
    for (int i = tape_.Below(4); i > 0; --i) feeds.emplace(NameOf(Any()), RandomVector());
    const std::vector<Endpoint>& wanted = !failures_.empty() && tape_.Chance(5) ? failures_ : values_;
    for (int i = tape_.Below(4); i > 0; --i) {
      const std::string name = NameOf(wanted[tape_.Below(static_cast<int>(wanted.size()))]);
      if (!feeds.contains(name)) step.fetches.push_back(name);  // rule F7
    }
    for (int i = tape_.Below(3); i > 0; --i) step.targets.push_back(AnyTarget());
    if (step.fetches.empty() && step.targets.empty()) step.targets.push_back(AnyTarget());  // rule F20
    step.feeds.assign(feeds.begin(), feeds.end());
    session_.steps.push_back(step);
  }

  std::string AnyTarget() {
    if (updates_.empty() || tape_.Chance(30)) return NameOf(Any().node);
    return NameOf(AnyWrite());
  }

  // Reads all variables.
  void AddLastStep() {
    StepRequest step;
    for (const Variable& variable : variables_) {
      const GraphBuilder::DeviceScope scope(builder_, variable.device);
      step.fetches.push_back(
          NameOf(variable.is_ref ? variable.handle
                                 : builder_.Call("ReadVariableOp", {variable.handle}, {{"dtype", DType::kFloat}})));
    }
    session_.steps.push_back(step);
  }

  Tape& tape_;
  const Smoothness functions_;
  const Declares declares_;
  std::vector<bool> forms_ = {true, false};  // of variables: behind a reference, behind a handle
  bool has_functions_ = true, has_failures_ = true, has_relays_ = true;
  GraphBuilder builder_;
  std::vector<Endpoint> values_, placeholders_, failures_;
  std::vector<Variable> variables_;
  std::vector<NodeId> updates_;
  RandomSession session_;
};

}  // namespace

RandomSession RandomSteps(Tape& tape, Smoothness functions, const Declares& declares) {
  return Decoder(tape, functions, declares).Decode();
}

std::vector<bool> NeededBy(const GraphDef& graph, const StepRequest& step) {
  std::map<std::string, size_t> numbers;
  for (size_t i = 0; i < graph.nodes.size(); ++i) numbers[graph.nodes[i].name] = i;
  std::vector<bool> needed(graph.nodes.size());
  std::vector<size_t> todo;
  const auto need = [&](const TensorName& name) {
    const bool fed = std::any_of(step.feeds.begin(), step.feeds.end(), [&](const Feed& feed) {
      const TensorName cut = ParseTensorName(feed.first);
      return !name.control && cut.node == name.node && cut.output == name.output;
    });
    const size_t i = numbers.at(name.node);
    if (fed || needed[i]) return;
    needed[i] = true;
    todo.push_back(i);
  };
  for (const std::string& fetch : step.fetches) need(ParseTensorName(fetch));
  for (const std::string& target : step.targets) need(ParseTensorName("^" + target));
  while (!todo.empty()) {
    const size_t i = todo.back();
    todo.pop_back();
    for (const std::string& input : graph.nodes[i].inputs) need(ParseTensorName(input));
  }
  return needed;
}

std::string Describe(const RandomSession& session) {
  std::string text = PrintGraphDefText(session.graph);
  for (size_t i = 0; i < session.steps.size(); ++i) {
    text += Str("# step ", i + 1, "\n");
    for (const auto& [name, value] : session.steps[i].feeds)
      text += Str("#   feed ", name, " = ", value.ToString(), "\n");
    for (const auto& name : session.steps[i].fetches) text += Str("#   fetch ", name, "\n");
    for (const auto& name : session.steps[i].targets) text += Str("#   target ", name, "\n");
  }
  return text;
}

}  // namespace plumb::property
