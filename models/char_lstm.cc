#include "models/char_lstm.h"

#include "client/clip.h"
#include "client/control_flow/while_loop.h"
#include "client/gradients.h"
#include "client/initializers.h"
#include "client/variable.h"
#include "models/layers.h"

namespace plumb::models {
namespace {

struct State {
  Output cell, hidden;
};

// i, j, f, o = [x, h]·W + b;  c' = σ(f + 1)·c + σ(i)·tanh(j);  h' = σ(o)·tanh(c').
State LstmCell(Scope& scope, Output x, State state, const Variable& weights, const Variable& bias) {
  const Output both = scope.Call("ConcatV2", {x, state.hidden, Constant<int32_t>(scope, 1)}, {{"N", 2}});
  const Output gates = scope.Call("BiasAdd", {scope.Call("MatMul", {both, weights}), bias});
  const NodeId split = scope.Add("Split", {Constant<int32_t>(scope, 1), gates}, {{"num_split", 4}});
  const auto gate = [&](int i) { return Output{&scope.builder(), {split, i}}; };
  const auto sigmoid = [&](Output value) { return scope.Call("Sigmoid", {value}); };
  const auto tanh = [&](Output value) { return scope.Call("Tanh", {value}); };
  const Output cell = sigmoid(gate(2) + 1.0) * state.cell + sigmoid(gate(0)) * tanh(gate(1));
  return {cell, sigmoid(gate(3)) * tanh(cell)};
}

// A tensor array of `size` elements of one shape: its handle and its flow.
struct Array {
  Output handle, flow;
};
Array NewArray(Scope& scope, int64_t size, const PartialShape& element) {
  const NodeId node =
      scope.Add("TensorArrayV3", {Constant<int32_t>(scope, static_cast<int32_t>(size))},
                {{"dtype", DType::kFloat}, {"element_shape", element}, {"identical_element_shapes", true}});
  return {{&scope.builder(), {node, 0}}, {&scope.builder(), {node, 1}}};
}

Output Positions(Scope& scope, int64_t count) {
  return scope.Call("Range", {Constant<int32_t>(scope, 0), Constant<int32_t>(scope, static_cast<int32_t>(count)),
                              Constant<int32_t>(scope, 1)});
}

// Runs the cell over x [steps, batch, features]; gives the hidden states [steps, batch, units] and the last state.
std::pair<Output, State> RunLstm(Scope& scope, Output x, State initial, const CharLstmOptions& options) {
  const auto named = scope.Sub("lstm");
  const int64_t features = x.shape().dim(2), gates = 4 * options.units;
  const Variable weights = MakeVariable(
      scope, GlorotUniform(scope, DType::kFloat, {features + options.units, gates}, options.seed + 1), {"weights"});
  const Variable bias = MakeVariable(scope, Filled(scope, DType::kFloat, {gates}, 0), {"bias"});
  const Array input = NewArray(scope, options.steps, PartialShape({options.batch, features}));
  const Array output = NewArray(scope, options.steps, PartialShape({options.batch, options.units}));
  const Output input_flow =
      scope.Call("TensorArrayScatterV3", {input.handle, Positions(scope, options.steps), x, input.flow});
  const Output limit = Constant<int32_t>(scope, static_cast<int32_t>(options.steps));
  const LoopVars last = WhileLoop(
      scope, {Constant<int32_t>(scope, 0), output.flow, initial.cell, initial.hidden},
      [&](const LoopVars& vars) { return vars[0] < limit; },
      [&](const LoopVars& vars) -> LoopVars {
        const Output read =
            scope.Call("TensorArrayReadV3", {input.handle, vars[0], input_flow}, {{"dtype", DType::kFloat}});
        scope.builder().set_shape(read, PartialShape({options.batch, features}));
        const State state = LstmCell(scope, read, {vars[2], vars[3]}, weights, bias);
        const Output written = scope.Call("TensorArrayWriteV3", {output.handle, vars[0], state.hidden, vars[1]});
        return {vars[0] + 1.0, written, state.cell, state.hidden};
      });
  const Output hidden =
      scope.Call("TensorArrayGatherV3", {output.handle, Positions(scope, options.steps), last[1]},
                 {{"dtype", DType::kFloat}, {"element_shape", PartialShape({options.batch, options.units})}});
  return {hidden, {last[2], last[3]}};
}

Output Input(Scope& scope, DType dtype, std::vector<int64_t> dims, const std::string& name) {
  return scope.Call("Placeholder", {}, {{"dtype", dtype}, {"shape", PartialShape(std::move(dims))}}, name);
}

// One update with all gradients scaled down together when their norm is too large.
NodeId TrainClipped(Scope& scope, Output loss, Optimizer& optimizer, double clip_norm) {
  const std::vector<Variable> variables = TrainableVariables(scope);
  std::vector<Endpoint> xs;
  xs.reserve(variables.size());
  for (const Variable& variable : variables) xs.push_back(variable.ref());
  const std::vector<GradientValue> clipped = ClipByGlobalNorm(scope, Gradients(scope.builder(), {loss}, xs), clip_norm);
  std::vector<VariableGradient> pairs;
  for (size_t i = 0; i < variables.size(); ++i) pairs.emplace_back(variables[i], clipped[i]);
  return optimizer.Apply(scope, pairs);
}

}  // namespace

CharLstm BuildCharLstm(Scope& scope, Optimizer& optimizer, const CharLstmOptions& options) {
  CharLstm model;
  model.inputs = Input(scope, DType::kInt32, {options.steps, options.batch}, "inputs");
  model.targets = Input(scope, DType::kInt32, {options.steps, options.batch}, "targets");
  model.cell_in = Input(scope, DType::kFloat, {options.batch, options.units}, "cell_in");
  model.hidden_in = Input(scope, DType::kFloat, {options.batch, options.units}, "hidden_in");
  const Variable embedding = MakeVariable(
      scope, GlorotUniform(scope, DType::kFloat, {options.vocabulary, options.embedding}, options.seed), {"embedding"});
  const Output x = scope.Call("GatherV2", {embedding, model.inputs, Constant<int32_t>(scope, 0)});
  const auto [hidden, state] = RunLstm(scope, x, {model.cell_in, model.hidden_in}, options);
  model.cell_out = state.cell;
  model.hidden_out = state.hidden;
  const Output flat =
      scope.Call("Reshape", {hidden, Constant<int32_t>(scope, {-1, static_cast<int32_t>(options.units)})});
  const Output logits = Dense(scope, flat, options.vocabulary, options.seed + 2, "logits");
  model.loss = MeanCrossEntropy(scope, logits, scope.Call("Reshape", {model.targets, Constant<int32_t>(scope, {-1})}));
  model.train = TrainClipped(scope, model.loss, optimizer, options.clip_norm);
  model.init = InitializeAll(scope);
  return model;
}

}  // namespace plumb::models
