#include "property-tests/generators/random_aliases.h"

#include <map>

#include "property-tests/generators/handed_on.h"
#include "property-tests/generators/rows.h"
#include "property-tests/generators/updates.h"
#include "spec/graph/builder.h"

namespace plumb::property {
namespace {

class Decoder {
 public:
  explicit Decoder(Tape& tape) : tape_(tape) {}

  RandomSession Decode() {
    // Rows that are aligned, rows that are not, and vectors; as large as samples ask for, and small.
    const Shape shapes[] = {{4, 16}, {4, 6}, {64}, {1, 16}, {4, 64}, {256}};
    shape_ = shapes[tape_.Below(static_cast<int>(std::size(shapes)))];
    variable_ = builder_.Call("VariableV2", {}, {{"shape", PartialShape(shape_)}, {"dtype", DType::kFloat}});
    handle_ = builder_.Call("VarHandleOp", {}, {{"shape", PartialShape()}, {"dtype", DType::kFloat}});
    const NodeId initial = builder_.Add("Assign", {variable_, Numbers()});
    session_.steps.push_back({{}, {}, {NameOf(initial)}});
    values_.push_back({Then("Identity", {variable_}), 0});
    for (int i = 3 + tape_.Below(10); i > 0; --i) AddNode();
    conformance::StepRequest step;
    step.targets.push_back(NameOf(last_));
    for (int i = 1 + tape_.Below(4); i > 0; --i) step.fetches.push_back(AnyResult());
    step.fetches.push_back(builder_.graph().NameOf(variable_));
    session_.steps.push_back(std::move(step));
    session_.graph = builder_.ToGraphDef();
    return std::move(session_);
  }

 private:
  std::string NameOf(NodeId node) { return builder_.graph().node(node).name; }
  Endpoint Any() { return values_[tape_.Below(static_cast<int>(values_.size()))]; }
  Shape ShapeOf(Endpoint value) { return builder_.shape(value).ToShape(); }
  int64_t ElementsOf(Endpoint value) { return ShapeOf(value).elements(); }
  Endpoint Ints(std::vector<int32_t> values) {
    return builder_.Constant(
        MakeTensor<int32_t>({static_cast<int64_t>(values.size())}, std::span<const int32_t>(values)));
  }
  Endpoint NumbersOf(const Shape& shape) {
    Tensor tensor(DType::kFloat, shape);
    const int first = tape_.Below(10);
    int i = 0;
    for (float& element : tensor.mutable_data<float>()) element = static_cast<float>(first + i++ % 7);
    return builder_.Constant(std::move(tensor));
  }
  Endpoint Numbers() { return NumbersOf(shape_); }

  std::string AnyResult() {
    const int which = tape_.Below(static_cast<int>(values_.size() + leaves_.size()));
    const int values = static_cast<int>(values_.size());
    return builder_.graph().NameOf(which < values ? values_[which] : leaves_[which - values]);
  }

  // Adds a node behind all that are there.
  NodeId Then(std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs = {}) {
    const NodeId node = builder_.Add(op, inputs, std::move(attrs));
    if (last_ != NodeId::kNone) builder_.AddControlInput(node, last_);
    return last_ = node;
  }
  // Others are made of floats whose shape is known; the rest may be fetched.
  void Keep(NodeId node) {
    for (int32_t i = 0; i < static_cast<int32_t>(builder_.graph().node(node).output_types.size()); ++i) {
      const Endpoint output = {node, i};
      const bool is_usable = builder_.dtype(output) == DType::kFloat && builder_.shape(output).IsFullyDefined();
      (is_usable ? values_ : leaves_).push_back(output);
    }
  }
  void KeepAs(const Shape& shape, NodeId node) {
    builder_.set_shape({node, 0}, shape);
    values_.push_back({node, 0});
  }

  void AddNode() {
    switch (tape_.Below(8)) {
      case 0:
      case 1:
        return Write(variable_, /*is_ref=*/true, shape_);
      case 2:
        return Compute();
      case 3:
        return tape_.Chance(50) ? PassThroughVariable() : PassThroughObject();
      default:
        return HandOn();
    }
  }

  // Of the whole variable, or of one or two rows, perhaps the same one twice.
  void Write(Endpoint variable, bool is_ref, const Shape& shape) {
    const bool has_rows = shape.rank() > 0 && shape.elements() > 0;
    const UpdatedPart part = has_rows && tape_.Chance(40) ? UpdatedPart::kRows : UpdatedPart::kWhole;
    const OpDef& op = AnyUpdate(tape_, is_ref, DType::kFloat, part, UpdateKind::kExact);
    std::vector<int32_t> rows;
    std::vector<int64_t> dims = shape.ToVector();
    if (part == UpdatedPart::kRows) {
      for (int i = 1 + tape_.Below(2); i > 0; --i) rows.push_back(tape_.Below(static_cast<int>(dims[0])));
      dims[0] = static_cast<int64_t>(rows.size());
    }
    Then(op.name, UpdateInputs(builder_, op, variable, rows, NumbersOf(Shape(dims))));
  }

  // A sum is another value, even with zero.
  void Compute() {
    static const std::vector<const OpDef*> sums = [] {
      std::vector<const OpDef*> found;
      for (const SameShapeRow& row : SameShapeRows(DType::kFloat, Smoothness::kBends)) {
        if (row.op->is_aggregate && row.broadcasts) found.push_back(row.op);
      }
      return found;
    }();
    const OpDef& op = *sums.at(static_cast<size_t>(tape_.Below(static_cast<int>(sums.size()))));
    const Endpoint more = builder_.Constant(MakeScalar<float>(static_cast<float>(tape_.Below(3))));
    Keep(Then(op.name, {Any(), more}));
  }

  // What R31 says of the op depends on shapes and attributes, so samples have both sides of each limit.
  void HandOn() {
    handed_ = tape_.Chance(30) ? variable_ : Any();
    const auto [op, sample] = AnyHanded(tape_, RowsThatHandOn(), ElementsOf(handed_), shape_.elements());
    if (op == nullptr) return;
    std::vector<Endpoint> inputs;
    for (size_t i = 0; i < sample->inputs.size(); ++i) {
      const Tensor& sampled = sample->inputs[i];
      inputs.push_back(MayBeAny(*sample, i) ? Fitted(sampled.shape()) : builder_.Constant(sampled));
    }
    Keep(Then(op->name, inputs, sample->attrs));
  }

  // What is handed on, in this shape: an alias if it is one and has as many elements, or begins with as many that are
  // aligned (R31). Now and then another value.
  Endpoint Fitted(const Shape& shape) {
    Endpoint from = tape_.Chance(20) ? Any() : handed_;
    if (ElementsOf(from) < shape.elements()) from = variable_;
    if (ShapeOf(from) == shape) return from;
    if (ElementsOf(from) > shape.elements()) {
      const Endpoint flat = {Then("Reshape", {from, Ints({-1})}), 0};
      from = {Then("Slice", {flat, Ints({0}), Ints({static_cast<int32_t>(shape.elements())})}), 0};
    }
    const NodeId fitted = Then("Reshape", {from, Ints(std::vector<int32_t>(shape.dims().begin(), shape.dims().end()))});
    builder_.set_shape({fitted, 0}, shape);
    return {fitted, 0};
  }

  // A variable behind a handle keeps an alias until it is written, or accessed by rows (R41, R44).
  void PassThroughVariable() {
    const Endpoint value = Any();
    const AttrMap type = {{"dtype", DType::kFloat}};
    Then("AssignVariableOp", {handle_, value}, type);
    if (tape_.Chance(30)) Write(handle_, /*is_ref=*/false, ShapeOf(value));
    if (tape_.Chance(20) && ShapeOf(value).rank() > 0) Then("ResourceGather", {handle_, Ints({})}, type);
    KeepAs(ShapeOf(value), Then("ReadVariableOp", {handle_}, type));
  }

  // Objects give back what they were given, as the samples of their rows say.
  void PassThroughObject() {
    handed_ = Any();
    const auto [op, sample] = AnyHanded(tape_, RowsThatGiveBack(), ElementsOf(handed_), shape_.elements());
    if (op == nullptr) return;
    std::map<std::string, NodeId> nodes;
    std::vector<Endpoint> given;
    for (const SampledNode& node : sample->before) nodes[node.name] = Then(node, nodes, &given);
    std::vector<SampledInput> inputs(sample->inputs.begin(), sample->inputs.end());
    for (const auto& [input, output] : sample->from) inputs[input] = output;
    const NodeId tried = nodes["this"] = Then({"this", op, sample->attrs, std::move(inputs)}, nodes, &given);
    for (const SampledNode& node : sample->after) nodes[node.name] = Then(node, nodes, &given);
    if (given.size() != 1) return Keep(tried);
    KeepAs(ShapeOf(given[0]), tried);
  }
  NodeId Then(const SampledNode& node, const std::map<std::string, NodeId>& nodes, std::vector<Endpoint>* given) {
    std::vector<Endpoint> inputs;
    for (const SampledInput& input : node.inputs) {
      if (const auto* output = std::get_if<SampledOutput>(&input)) {
        inputs.push_back({nodes.at(output->node), output->output});
        continue;
      }
      const Tensor& sampled = std::get<Tensor>(input);
      if (sampled.dtype() != DType::kFloat) {
        inputs.push_back(builder_.Constant(sampled));
      } else {
        given->push_back(Fitted(sampled.shape()));
        inputs.push_back(given->back());
      }
    }
    return Then(node.op->name, inputs, node.attrs);
  }

  Tape& tape_;
  GraphBuilder builder_;
  RandomSession session_;
  Shape shape_;
  Endpoint variable_, handle_;
  Endpoint handed_;                        // to the op that is being added
  std::vector<Endpoint> values_, leaves_;  // floats of known shapes, and other results
  NodeId last_ = NodeId::kNone;
};

}  // namespace

RandomSession RandomAliases(Tape& tape) { return Decoder(tape).Decode(); }

}  // namespace plumb::property
