#include "models/char_lstm.h"

#include "client/initializers.h"
#include "client/rnn/rnn.h"
#include "client/variable.h"
#include "models/layers.h"
#include "models/learner.h"

namespace plumb::models {
namespace {

Output Input(Scope& scope, DType dtype, std::vector<int64_t> dims, const std::string& name) {
  return scope.Call("Placeholder", {}, {{"dtype", dtype}, {"shape", PartialShape(std::move(dims))}}, name);
}

// The first axis taken apart.
std::vector<Output> Unpacked(Scope& scope, Output x, int64_t parts) {
  const NodeId node = scope.Add("Unpack", {x}, {{"num", parts}});
  std::vector<Output> outputs;
  for (int i = 0; i < parts; ++i) outputs.push_back({&scope.builder(), {node, i}});
  return outputs;
}

// Hidden states [steps, batch, units], and the state in the end.
DynamicRnnResult Read(Scope& scope, Output x, const RnnOptions& reading, const CellPtr& cell,
                      const CharLstmOptions& options) {
  if (!options.is_unrolled) return DynamicRnn(scope, cell, x, reading);
  const StaticRnnResult read = StaticRnn(scope, cell, Unpacked(scope, x, options.steps), reading);
  return {scope.Call("Pack", read.outputs, {{"N", options.steps}}), read.state};
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
  CellOptions cell;
  cell.seed = options.seed + 1;
  RnnOptions reading;
  reading.scope = "lstm";
  reading.initial_state = {model.cell_in, model.hidden_in};
  reading.time_major = true;
  reading.parallel_iterations = 10;  // 32, the default, take a fifth longer with 128 units
  const auto [hidden, state] = Read(scope, x, reading, BasicLstmCell(options.units, 1, cell), options);
  model.cell_out = state[0];
  model.hidden_out = state[1];
  const Output flat =
      scope.Call("Reshape", {hidden, Constant<int32_t>(scope, {-1, static_cast<int32_t>(options.units)})});
  const Output logits = Dense(scope, flat, options.vocabulary, options.seed + 2, "logits");
  model.loss = MeanCrossEntropy(scope, logits, scope.Call("Reshape", {model.targets, Constant<int32_t>(scope, {-1})}));
  model.train = MinimizeClipped(scope, model.loss, optimizer, options.clip_norm);
  model.init = InitializeAll(scope);
  return model;
}

}  // namespace plumb::models
