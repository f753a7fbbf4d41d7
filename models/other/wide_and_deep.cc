#include "models/other/wide_and_deep.h"

#include "client/embedding/lookup.h"
#include "client/initializers.h"
#include "client/losses.h"
#include "models/layers.h"

namespace plumb::models {
namespace {

// One weight for each category, those of an example added up: [batch, 1].
Output Wide(Scope& scope, Output categories, const WideAndDeepOptions& options) {
  const Variable weights =
      MakeVariable(scope, Filled(scope, DType::kFloat, {options.categories, 1}, 0), {"wide_weights"});
  return scope.Call("Sum", {EmbeddingLookup(scope, {weights}, categories), Constant<int32_t>(scope, {1})});
}

Output Deep(Scope& scope, Output categories, Output numbers, const WideAndDeepOptions& options) {
  const Output vectors = Embed(scope, categories, options.categories, options.embedding, options.seed, "embedding");
  Output x = scope.Call("ConcatV2", {Flatten(scope, vectors), numbers, Constant<int32_t>(scope, 1)}, {{"N", 2}});
  int64_t seed = options.seed + 1;
  for (const int64_t units : options.units) {
    x = scope.Call("Relu", {Dense(scope, x, units, seed, "deep" + std::to_string(seed - options.seed))});
    ++seed;
  }
  return Dense(scope, x, 1, seed, "logit");
}

}  // namespace

Learner BuildWideAndDeep(Scope& scope, Optimizer& optimizer, const WideAndDeepOptions& options) {
  Learner model;
  const Output categories = model.FeedIds(scope, {options.batch, options.fields}, options.categories, "categories");
  const Output numbers = model.FeedNumbers(scope, {options.batch, options.numbers}, "numbers");
  const Output labels = model.FeedIds(scope, {options.batch}, 2, "labels");
  const Output logits = Wide(scope, categories, options) + Deep(scope, categories, numbers, options);
  const Output wanted = scope.Call("Reshape", {AsType(labels, DType::kFloat), Constant<int32_t>(scope, {-1, 1})});
  Finish(scope, model, SigmoidCrossEntropy(scope, wanted, logits), optimizer);
  return model;
}

}  // namespace plumb::models
