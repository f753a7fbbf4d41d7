// Law: the gradients of recurrent networks by their inputs and weights are the derivatives that forward-mode
// differentiation gives, whatever the cell, the way it is run and the lengths of the sequences.
#include "client/gradients.h"
#include "client/rnn/rnn.h"
#include "property-tests/exact_derivatives.h"
#include "property-tests/law.h"

namespace plumb::property {
namespace {

Tensor RandomDoubles(Tape& tape, const Shape& shape) {
  Tensor tensor(DType::kDouble, shape);
  for (double& number : tensor.mutable_data<double>()) number = tape.Number(/*special=*/false);
  return tensor;
}

CellPtr RandomCell(Tape& tape) {
  const int64_t units = 1 + tape.Below(3);
  switch (tape.Below(4)) {
    case 0:
      return BasicRnnCell(units);
    case 1:
      return GruCell(units);
    case 2:
      return BasicLstmCell(units);
    default: {
      LstmOptions options;
      options.use_peepholes = tape.Chance(50);
      if (tape.Chance(50)) options.projection = 1 + tape.Below(2);
      return LstmCell(units, options);
    }
  }
}

CellPtr RandomStack(Tape& tape) {
  if (!tape.Chance(30)) return RandomCell(tape);
  const CellPtr below = RandomCell(tape), above = RandomCell(tape);
  return MultiRnnCell({below, above});
}

// The outputs and states of a run over x [batch, time, size].
std::vector<Output> RandomRun(Scope& scope, Tape& tape, Output x) {
  const CellPtr cell = RandomStack(tape);
  RnnOptions options;
  if (tape.Chance(60)) {
    Tensor lengths(DType::kInt32, {x.shape().dim(0)});
    for (int32_t& length : lengths.mutable_data<int32_t>()) {
      length = tape.Below(static_cast<int>(x.shape().dim(1)) + 1);
    }
    options.sequence_length = Constant(scope, lengths);
  }
  std::vector<Output> results;
  if (tape.Chance(60)) {
    const DynamicRnnResult run = DynamicRnn(scope, cell, x, options);
    results = run.state;
    results.push_back(run.outputs);
    return results;
  }
  const int64_t time = x.shape().dim(1);
  const NodeId steps = scope.Add("Unpack", {x}, {{"num", time}, {"axis", int64_t{1}}});
  std::vector<Output> inputs;
  for (int i = 0; i < time; ++i) inputs.push_back({&scope.builder(), {steps, i}});
  const StaticRnnResult run = StaticRnn(scope, cell, inputs, options);
  results = run.state;
  results.insert(results.end(), run.outputs.begin(), run.outputs.end());
  return results;
}

// Each result counts with a weight of its own.
Output TotalOf(Scope& scope, Tape& tape, const std::vector<Output>& results) {
  std::vector<Output> sums;
  for (const Output& result : results) {
    const Output flat = scope.Call("Reshape", {result, Constant<int32_t>(scope, {-1})});
    sums.push_back(scope.Call("Sum", {flat, Constant(scope, int32_t{0})}) * (1.0 + tape.Below(3)));
  }
  return scope.Call("AddN", sums, {{"N", static_cast<int64_t>(sums.size())}});
}

// ---- Sequences that are one op -------------------------------------------------------------------------------------

// Fed with small numbers of float32, the widest type of these ops.
class FedScope {
 public:
  explicit FedScope(Tape& tape) : tape_(tape) {}

  Output Input(const std::string& name, const Shape& shape) {
    Tensor value(DType::kFloat, shape);
    for (float& x : value.mutable_data<float>()) x = static_cast<float>(tape_.Below(33) - 16) / 16;
    feeds.emplace_back(name, value);
    xs.push_back(scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape(shape)}}, name));
    return xs.back();
  }

  Scope scope;
  std::vector<Feed> feeds;
  std::vector<Output> xs;

 private:
  Tape& tape_;
};

// Where nothing is clipped, for the rule passes over that, and of what the rule follows: the cell states and the
// outputs at all times.
PLUMB_LAW(BlockLstmGradients, AreTheExactDerivatives) {
  FedScope fed(tape);
  Scope& scope = fed.scope;
  const bool is_second = tape.Chance(50), has_peepholes = tape.Chance(60);
  const int64_t time = 1 + tape.Below(3), batch = 1 + tape.Below(2), size = 1 + tape.Below(2),
                cells = 1 + tape.Below(2);
  const int64_t steps = 1 + tape.Below(static_cast<int>(time));
  std::vector<Output> inputs = {Constant(scope, steps)};
  const std::pair<const char*, Shape> shapes[] = {{"x", {time, batch, size}}, {"cs_prev", {batch, cells}},
                                                  {"h_prev", {batch, cells}}, {"w", {size + cells, 4 * cells}},
                                                  {"wci", {cells}},           {"wcf", {cells}},
                                                  {"wco", {cells}},           {"b", {4 * cells}}};
  for (const auto& [name, shape] : shapes) inputs.push_back(fed.Input(name, shape));
  AttrMap attrs = {{"use_peephole", has_peepholes}, {"cell_clip", is_second ? 0.0F : -1.0F}};
  if (!is_second) attrs["forget_bias"] = static_cast<float>(tape.Below(2));
  const NodeId node = scope.Add(is_second ? "BlockLSTMV2" : "BlockLSTM", inputs, attrs);
  const Output total = TotalOf(scope, tape, {{&scope.builder(), {node, 1}}, {&scope.builder(), {node, 6}}});
  std::vector<std::string> names;
  for (const Output& gradient : DenseGradients({total}, fed.xs)) names.push_back(gradient.name());
  CheckExactDerivatives(scope.ToGraphDef(), fed.feeds, RandomDirections(tape, fed.feeds), total.name(), names);
}

PLUMB_SLOW_LAW(RnnGradients, AreTheExactDerivatives) {
  Scope scope;
  const Shape shape({1 + tape.Below(2), 1 + tape.Below(3), 1 + tape.Below(2)});
  const Output x = scope.Call("Placeholder", {}, {{"dtype", DType::kDouble}, {"shape", PartialShape(shape)}}, "x");
  std::vector<Feed> feeds = {{"x", RandomDoubles(tape, shape)}};
  const Output total = TotalOf(scope, tape, RandomRun(scope, tape, x));
  std::vector<Output> xs = {x};
  // Weights are fed where they are read.
  for (const Variable& variable : scope.variables()) {
    feeds.emplace_back(variable.value().name(), RandomDoubles(tape, variable.shape().ToShape()));
    xs.push_back(variable.value());
  }
  std::vector<std::string> names;
  for (const Output& gradient : DenseGradients({total}, xs)) names.push_back(gradient.name());
  CheckExactDerivatives(scope.ToGraphDef(), feeds, RandomDirections(tape, feeds), total.name(), names);
}

}  // namespace
}  // namespace plumb::property
