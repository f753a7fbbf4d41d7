#include "property-tests/generators/random_updates.h"

#include "property-tests/generators/random_tensor.h"
#include "property-tests/generators/updates.h"
#include "spec/graph/builder.h"
#include "spec/graph/text_io.h"
#include "spec/ops/traits.h"

namespace plumb::property {
namespace {

using Numbers = std::vector<double>;

class Decoder {
 public:
  explicit Decoder(Tape& tape) : tape_(tape) {}

  RandomUpdates Decode() {
    for (int i = 1 + tape_.Below(2); i > 0; --i) AddVariable();
    for (int i = 1 + tape_.Below(3); i > 0; --i) AddStep();
    for (int i = 2 + tape_.Below(3); i > 0; --i) AddClient();
    for (const Variable& variable : variables_) {
      updates_.variables.push_back(NameOf(variable.is_ref ? variable.handle : Read(variable)));
      updates_.expected.push_back(variable.expected);
    }
    updates_.graph = builder_.ToGraphDef();
    return std::move(updates_);
  }

 private:
  struct Variable {
    Endpoint handle;
    bool is_ref;
    DType dtype;
    Shape shape;
    Numbers expected;  // elements, after the steps that clients run so far
  };
  struct Change {
    int variable;
    Numbers by;
  };
  struct Step {
    std::string target;
    std::vector<Change> changes;
  };

  std::string NameOf(Endpoint value) { return builder_.graph().NameOf(value); }
  std::string NameOf(NodeId node) { return builder_.graph().node(node).name; }

  Endpoint Read(const Variable& variable) {
    return builder_.Call("ReadVariableOp", {variable.handle}, {{"dtype", variable.dtype}});
  }

  Numbers WholeNumbers() {
    Numbers numbers(1 + tape_.Below(7));
    for (double& number : numbers) number = 1 + tape_.Below(5);
    return numbers;
  }

  // A constant that repeats the numbers over the shape; its elements in *elements.
  Endpoint Repeated(DType dtype, const Shape& shape, const Numbers& numbers, Numbers* elements) {
    for (int64_t i = 0; i < shape.elements(); ++i) elements->push_back(numbers[i % numbers.size()]);
    return builder_.Constant(TensorOf(dtype, shape, numbers));
  }

  void AddVariable() {
    constexpr DType kTypes[] = {DType::kFloat, DType::kInt32, DType::kDouble};
    constexpr int64_t kRows = 50'000, kColumns = 3;
    Variable variable;
    variable.is_ref = tape_.Chance(50);
    variable.dtype = kTypes[tape_.Below(3)];
    variable.shape = tape_.Chance(2) ? Shape({kRows, kColumns}) : Shape({1 + tape_.Below(5), kColumns});
    AttrMap attrs = {{"dtype", variable.dtype}, {"shape", PartialShape(variable.shape)}};
    if (!variable.is_ref) attrs.emplace("shared_name", Str("variable_", variables_.size()));
    variable.handle = builder_.Call(variable.is_ref ? "VariableV2" : "VarHandleOp", {}, attrs);
    const Endpoint value = Repeated(variable.dtype, variable.shape, WholeNumbers(), &variable.expected);
    const char* const op = variable.is_ref ? "Assign" : "AssignVariableOp";
    updates_.initializers.push_back(NameOf(builder_.Add(op, {variable.handle, value})));
    variables_.push_back(std::move(variable));
  }

  void AddStep() {
    Step step;
    std::vector<NodeId> nodes;
    for (int i = 1 + tape_.Below(4); i > 0; --i) {
      Change change = {tape_.Below(static_cast<int>(variables_.size())), {}};
      const Variable& variable = variables_[change.variable];
      nodes.push_back(tape_.Chance(30) ? Scatter(variable, change) : Update(variable, change));
      step.changes.push_back(std::move(change));
    }
    step.target = NameOf(builder_.Add("NoOp", {}, {}, {.name = "", .device = "", .control_inputs = nodes}));
    steps_.push_back(std::move(step));
  }

  const OpDef& AnySum(const Variable& variable, UpdatedPart part) {
    return AnyUpdate(tape_, variable.is_ref, variable.dtype, part, UpdateKind::kSum);
  }

  // Of the whole variable.
  NodeId Update(const Variable& variable, Change& change) {
    const OpDef& op = AnySum(variable, UpdatedPart::kWhole);
    const Endpoint by = Repeated(variable.dtype, variable.shape, WholeNumbers(), &change.by);
    if (Has(op, Trait::kSubtracts)) {
      for (double& number : change.by) number = -number;
    }
    return builder_.Add(op.name, UpdateInputs(builder_, op, variable.handle, {}, by), Locked(op));
  }

  // Of some rows, perhaps the same one twice.
  NodeId Scatter(const Variable& variable, Change& change) {
    const OpDef& op = AnySum(variable, UpdatedPart::kRows);
    const int64_t columns = variable.shape.dim(1);
    std::vector<int32_t> rows(1 + tape_.Below(4));
    for (int32_t& row : rows) row = tape_.Below(static_cast<int>(variable.shape.dim(0)));
    Numbers elements;
    const Shape shape = {static_cast<int64_t>(rows.size()), columns};
    const Endpoint by = Repeated(variable.dtype, shape, WholeNumbers(), &elements);
    const double sign = Has(op, Trait::kSubtracts) ? -1 : 1;
    change.by.resize(static_cast<size_t>(variable.shape.elements()));
    for (size_t i = 0; i < elements.size(); ++i) {
      change.by[rows[i / columns] * columns + i % columns] += sign * elements[i];
    }
    return builder_.Add(op.name, UpdateInputs(builder_, op, variable.handle, rows, by), Locked(op));
  }

  void AddClient() {
    std::vector<std::string>& targets = updates_.clients.emplace_back();
    for (int i = 1 + tape_.Below(6); i > 0; --i) {
      const Step& step = steps_[tape_.Below(static_cast<int>(steps_.size()))];
      targets.push_back(step.target);
      for (const Change& change : step.changes) {
        Numbers& expected = variables_[change.variable].expected;
        for (size_t k = 0; k < expected.size(); ++k) expected[k] += change.by[k];
      }
    }
  }

  Tape& tape_;
  GraphBuilder builder_;
  std::vector<Variable> variables_;
  std::vector<Step> steps_;
  RandomUpdates updates_;
};

}  // namespace

RandomUpdates RandomCommutingUpdates(Tape& tape) { return Decoder(tape).Decode(); }

std::string Describe(const RandomUpdates& updates) {
  std::string text = PrintGraphDefText(updates.graph);
  for (const auto& targets : updates.clients) {
    text += "# at once:";
    for (const std::string& target : targets) text += " " + target;
    text += "\n";
  }
  return text;
}

}  // namespace plumb::property
