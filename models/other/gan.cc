#include "models/other/gan.h"

#include "client/gradients.h"
#include "client/losses.h"
#include "models/layers.h"

namespace plumb::models {
namespace {

// The mean loss of calling all of these images real, or all of them made.
Output Judged(Scope& scope, Output logits, bool real) {
  const Output labels = scope.Call(real ? "OnesLike" : "ZerosLike", {logits});
  return SigmoidCrossEntropy(scope, labels, logits);
}

// Gradients of a loss with respect to the variables from `first` on, up to `last`.
void AddGradients(Scope& scope, Output loss, size_t first, size_t last, std::vector<VariableGradient>& pairs) {
  std::vector<Endpoint> xs;
  for (size_t i = first; i < last; ++i) xs.push_back(scope.variables()[i].ref());
  const std::vector<GradientValue> gradients = Gradients(scope.builder(), {loss}, xs);
  for (size_t i = first; i < last; ++i) pairs.emplace_back(scope.variables()[i], gradients[i - first]);
}

}  // namespace

Gan BuildGan(Scope& scope, Optimizer& optimizer, const GanOptions& options) {
  Gan gan;
  const Output real = gan.learner.FeedNumbers(scope, {options.batch, options.features}, "images");
  const Output noise = gan.learner.FeedNumbers(scope, {options.batch, options.noise}, "noise");
  const size_t first = scope.variables().size();
  {
    const auto named = scope.Sub("generator");
    const Output hidden = scope.Call("Relu", {Dense(scope, noise, options.generator_units, options.seed, "hidden")});
    gan.images = scope.Call("Sigmoid", {Dense(scope, hidden, options.features, options.seed + 1, "images")});
  }
  const size_t middle = scope.variables().size();
  // Real and made images go through the same weights, one above the other.
  const Output both = scope.Call("ConcatV2", {real, gan.images, Constant<int32_t>(scope, 0)}, {{"N", 2}});
  const auto named = scope.Sub("discriminator");
  const Output hidden =
      scope.Call("Relu", {Dense(scope, both, options.discriminator_units, options.seed + 2, "hidden")});
  const Output logits = Dense(scope, hidden, 1, options.seed + 3, "logit");
  const NodeId split = scope.Add("Split", {Constant<int32_t>(scope, 0), logits}, {{"num_split", 2}});
  const Output of_real{&scope.builder(), {split, 0}}, of_made{&scope.builder(), {split, 1}};
  gan.generator_loss = Judged(scope, of_made, true);
  gan.learner.loss = Judged(scope, of_real, true) + Judged(scope, of_made, false);

  std::vector<VariableGradient> pairs;
  AddGradients(scope, gan.generator_loss, first, middle, pairs);
  AddGradients(scope, gan.learner.loss, middle, scope.variables().size(), pairs);
  gan.learner.train = optimizer.Apply(scope, pairs);
  gan.learner.init = InitializeAll(scope);
  return gan;
}

}  // namespace plumb::models
