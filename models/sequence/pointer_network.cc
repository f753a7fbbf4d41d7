#include "models/sequence/pointer_network.h"

#include "client/initializers.h"
#include "client/rnn/rnn.h"
#include "models/layers.h"

namespace plumb::models {
namespace {

DynamicRnnResult Run(Scope& scope, Output x, int64_t units, int64_t seed, const std::string& name,
                     const RnnState& initial) {
  CellOptions cell;
  cell.seed = seed;
  RnnOptions options;
  options.scope = name;
  options.initial_state = initial;
  return DynamicRnn(scope, BasicLstmCell(units, 1, cell), x, options);
}

// The chosen points [batch, outputs, features], each one step later, with zeros in front.
Output ChosenBefore(Scope& scope, Output points, Output places, const PointerNetworkOptions& options) {
  const Output choice = scope.Call("OneHot", {places, Constant(scope, static_cast<int32_t>(options.points)),
                                              Constant(scope, 1.0f), Constant(scope, 0.0f)});
  const Output chosen = scope.Call("BatchMatMulV2", {choice, points});
  const Output zeros = Filled(scope, DType::kFloat, {options.batch, 1, options.features}, 0);
  const Output all = scope.Call("ConcatV2", {zeros, chosen, Constant<int32_t>(scope, 1)}, {{"N", 2}});
  return scope.Call("Slice", {all, Constant<int32_t>(scope, {0, 0, 0}),
                              Constant<int32_t>(scope, {-1, static_cast<int32_t>(options.outputs), -1})});
}

// v · tanh(W read + U written) for each place written and each point read: [batch · outputs, points].
Output Pointers(Scope& scope, Output read, Output written, const PointerNetworkOptions& options) {
  const auto named = scope.Sub("pointer");
  const auto weight = [&](int64_t out, int64_t seed, const char* name) {
    return MakeVariable(scope, GlorotUniform(scope, DType::kFloat, {options.units, out}, options.seed + seed), {name});
  };
  const auto units = static_cast<int32_t>(options.units);
  const auto batch = static_cast<int32_t>(options.batch), points = static_cast<int32_t>(options.points);
  const Output keys = scope.Call("Reshape", {scope.Call("MatMul", {Rows(scope, read), weight(units, 2, "read")}),
                                             Constant<int32_t>(scope, {batch, 1, points, units})});
  const Output queries =
      scope.Call("Reshape", {scope.Call("MatMul", {Rows(scope, written), weight(units, 3, "written")}),
                             Constant<int32_t>(scope, {batch, static_cast<int32_t>(options.outputs), 1, units})});
  const Output scores = scope.Call("MatMul", {Rows(scope, scope.Call("Tanh", {keys + queries})), weight(1, 4, "v")});
  return scope.Call("Reshape", {scores, Constant<int32_t>(scope, {-1, points})});
}

}  // namespace

Learner BuildPointerNetwork(Scope& scope, Optimizer& optimizer, const PointerNetworkOptions& options) {
  Learner model;
  const Output points = model.FeedNumbers(scope, {options.batch, options.points, options.features}, "points");
  const Output places = model.FeedIds(scope, {options.batch, options.outputs}, options.points, "places");
  const DynamicRnnResult read = Run(scope, points, options.units, options.seed, "reader", {});
  const Output before = ChosenBefore(scope, points, places, options);
  const DynamicRnnResult written = Run(scope, before, options.units, options.seed + 1, "writer", read.state);
  const Output logits = Pointers(scope, read.outputs, written.outputs, options);
  const Output flat = scope.Call("Reshape", {places, Constant<int32_t>(scope, {-1})});
  Finish(scope, model, MeanCrossEntropy(scope, logits, flat), optimizer, options.clip_norm);
  return model;
}

}  // namespace plumb::models
