#include "property-tests/generators/random_smooth_graph.h"

#include <algorithm>

#include "property-tests/generators/fitting.h"
#include "property-tests/generators/random_tensor.h"
#include "property-tests/generators/rows.h"

namespace plumb::property {
namespace {

constexpr int64_t kMaxElements = 512;

class Decoder {
 public:
  Decoder(Scope& scope, Tape& tape) : builder_(scope.builder()), tape_(tape) {}

  RandomProgram Decode() {
    for (int i = 1 + tape_.Below(2); i > 0; --i) AddInput();
    for (int i = 1 + tape_.Below(8); i > 0; --i) tape_.Chance(50) ? AddRow() : AddFunction();
    program_.results.push_back({&builder_, values_.back()});
    program_.results.push_back({&builder_, Any()});
    return std::move(program_);
  }

 private:
  Endpoint Any() { return values_[tape_.Below(static_cast<int>(values_.size()))]; }

  void AddInput() {
    const Tensor value =
        RandomTensor(tape_, DType::kDouble, {1 + tape_.Below(3), 1 + tape_.Below(3)}, /*special=*/false);
    const AttrMap attrs = {{"dtype", DType::kDouble}, {"shape", PartialShape(value.shape())}};
    values_.push_back(builder_.Call("Placeholder", {}, attrs));
    program_.inputs.push_back({&builder_, values_.back()});
    program_.feeds.push_back({program_.inputs.back().name(), value});
  }

  void AddFunction() {
    const SameShapeRow& row = AnySameShapeRow(tape_, DType::kDouble, Smoothness::kDifferentiable);
    const Endpoint x = Any();
    Keep(builder_.Add(row.op->name, std::vector<Endpoint>(row.inputs, x), row.attrs));
  }

  // On values of the graph, where any will do; the rest is constant.
  void AddRow() {
    const auto rows = DrawnRows();
    const OpDef& op = *rows[tape_.Below(static_cast<int>(rows.size()))];
    const std::optional<SampledCase> sample = RandomDifferentiableCaseOf(tape_, op);
    if (!sample) return AddFunction();
    std::vector<Endpoint> inputs;
    for (size_t i = 0; i < sample->inputs.size(); ++i) {
      const Tensor& sampled = sample->inputs[i];
      std::optional<Endpoint> value;
      const std::vector<int>& constant = op.gradient_trial.constant_inputs;
      const bool has_gradient = std::find(constant.begin(), constant.end(), static_cast<int>(i)) == constant.end();
      if (sampled.dtype() == DType::kDouble && sample->freedoms[i] != Freedom::kThis && has_gradient) {
        value = Fitted(builder_, tape_, Any(), DType::kDouble, sampled.shape());
      }
      inputs.push_back(value ? *value : builder_.Constant(sampled));
    }
    Keep(builder_.Add(op.name, inputs, sample->attrs));
  }

  // Tanh keeps numbers small.
  void Keep(NodeId node) {
    const int outputs = static_cast<int>(builder_.graph().node(node).output_types.size());
    for (int32_t output = 0; output < outputs; ++output) {
      const Endpoint value = {node, output};
      const PartialShape& shape = builder_.shape(value);
      if (builder_.dtype(value) != DType::kDouble || !shape.IsFullyDefined()) continue;
      const int64_t elements = shape.ToShape().elements();
      if (elements > 0 && elements <= kMaxElements) values_.push_back(builder_.Call("Tanh", {value}));
    }
  }

  GraphBuilder& builder_;
  Tape& tape_;
  std::vector<Endpoint> values_;
  RandomProgram program_;
};

}  // namespace

RandomProgram RandomSmoothGraph(Scope& scope, Tape& tape) { return Decoder(scope, tape).Decode(); }

}  // namespace plumb::property
