#include "models/other/deep_q.h"

#include "client/initializers.h"
#include "client/losses.h"

namespace plumb::models {
namespace {

// Two layers: weights and bias of each, at first the same wherever they are made.
std::vector<Variable> MakeWeights(Scope& scope, const DeepQOptions& options, bool trainable) {
  const auto weights = [&](int64_t in, int64_t out, int64_t seed) {
    return MakeVariable(scope, GlorotUniform(scope, DType::kFloat, {in, out}, seed),
                        {.name = "weights", .trainable = trainable});
  };
  const auto bias = [&](int64_t out) {
    return MakeVariable(scope, Filled(scope, DType::kFloat, {out}, 0), {.name = "bias", .trainable = trainable});
  };
  return {weights(options.features, options.units, options.seed), bias(options.units),
          weights(options.units, options.actions, options.seed + 1), bias(options.actions)};
}

Output Values(Scope& scope, Output states, const std::vector<Variable>& layers) {
  const Output hidden =
      scope.Call("Relu", {scope.Call("BiasAdd", {scope.Call("MatMul", {states, layers[0]}), layers[1]})});
  return scope.Call("BiasAdd", {scope.Call("MatMul", {hidden, layers[2]}), layers[3]});
}

}  // namespace

DeepQ BuildDeepQ(Scope& scope, Optimizer& optimizer, const DeepQOptions& options) {
  DeepQ model;
  Learner& learner = model.learner;
  model.state = learner.FeedNumbers(scope, {options.batch, options.features}, "states");
  const Output actions = learner.FeedIds(scope, {options.batch}, options.actions, "actions");
  const Output rewards = learner.FeedNumbers(scope, {options.batch}, "rewards");
  const Output next_states = learner.FeedNumbers(scope, {options.batch, options.features}, "next_states");
  const Output goes_on = learner.FeedIds(scope, {options.batch}, 2, "goes_on");

  const std::vector<Variable> layers = MakeWeights(scope, options, true);
  const std::vector<Variable> copies = MakeWeights(scope, options, false);
  model.values = Values(scope, model.state, layers);
  const auto row = [&] { return Constant<int32_t>(scope, {1}); };
  const Output best = scope.Call("Max", {Values(scope, next_states, copies), row()});
  const Output wanted = rewards + AsType(goes_on, DType::kFloat) * best * options.discount;
  const Output choice = scope.Call("OneHot", {actions, Constant(scope, static_cast<int32_t>(options.actions)),
                                              Constant(scope, 1.0f), Constant(scope, 0.0f)});
  const Output chosen = scope.Call("Sum", {model.values * choice, row()});
  Finish(scope, learner, HuberLoss(scope, wanted, chosen), optimizer);

  std::vector<NodeId> copied;
  for (size_t i = 0; i < layers.size(); ++i) copied.push_back(scope.Add("Assign", {copies[i].ref(), layers[i]}));
  model.follow = scope.Group(copied, "follow");
  return model;
}

}  // namespace plumb::models
