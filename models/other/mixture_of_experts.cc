#include "models/other/mixture_of_experts.h"

#include "models/layers.h"

namespace plumb::models {
namespace {

// [batch, experts]: how much each counts.
Output Gates(Scope& scope, Output x, const MixtureOfExpertsOptions& options) {
  const Output logits = Dense(scope, x, options.experts, options.seed, "gate");
  const NodeId best =
      scope.Add("TopKV2", {logits, Constant(scope, static_cast<int32_t>(options.chosen))}, {{"sorted", true}});
  const Output values{&scope.builder(), {best, 0}}, experts{&scope.builder(), {best, 1}};
  const Output weights = scope.Call("Softmax", {values});
  const Output places = scope.Call("OneHot", {experts, Constant(scope, static_cast<int32_t>(options.experts)),
                                              Constant(scope, 1.0f), Constant(scope, 0.0f)});
  const Output spread = scope.Call("ExpandDims", {weights, Constant<int32_t>(scope, 2)}) * places;
  return scope.Call("Sum", {spread, Constant<int32_t>(scope, {1})});
}

}  // namespace

Learner BuildMixtureOfExperts(Scope& scope, Optimizer& optimizer, const MixtureOfExpertsOptions& options) {
  Require(options.chosen >= 1 && options.chosen <= options.experts, "of ", options.experts, " experts ", options.chosen,
          " cannot be chosen");
  Learner model;
  const Output x = model.FeedNumbers(scope, {options.batch, options.features}, "examples");
  const Output labels = model.FeedIds(scope, {options.batch}, options.classes, "labels");
  std::vector<Output> answers;
  for (int64_t expert = 0; expert < options.experts; ++expert) {
    const auto named = scope.Sub("expert");
    const int64_t seed = options.seed + 1 + 2 * expert;
    const Output hidden = scope.Call("Relu", {Dense(scope, x, options.units, seed, "hidden")});
    answers.push_back(Dense(scope, hidden, options.outputs, seed + 1, "output"));
  }
  const Output all = scope.Call("Pack", answers, {{"N", options.experts}, {"axis", 1}});
  const Output gates = scope.Call("ExpandDims", {Gates(scope, x, options), Constant<int32_t>(scope, 2)});
  const Output mixed = scope.Call("Sum", {all * gates, Constant<int32_t>(scope, {1})});
  const Output logits = Dense(scope, scope.Call("Relu", {mixed}), options.classes, options.seed + 1000, "logits");
  Finish(scope, model, MeanCrossEntropy(scope, logits, labels), optimizer);
  return model;
}

}  // namespace plumb::models
