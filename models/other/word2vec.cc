#include "models/other/word2vec.h"

#include "client/embedding/sampled_losses.h"
#include "client/initializers.h"

namespace plumb::models {

Learner BuildWord2Vec(Scope& scope, Optimizer& optimizer, const Word2VecOptions& options) {
  Learner model;
  const Output words = model.FeedIds(scope, {options.batch}, options.vocabulary, "words");
  const Output neighbours = model.FeedIds(scope, {options.batch}, options.vocabulary, "neighbours");
  const Output vectors = Embed(scope, words, options.vocabulary, options.size, options.seed, "vectors");
  const Variable weights = MakeVariable(
      scope, GlorotUniform(scope, DType::kFloat, {options.vocabulary, options.size}, options.seed + 1), {"weights"});
  const Variable bias = MakeVariable(scope, Filled(scope, DType::kFloat, {options.vocabulary}, 0), {"bias"});
  const Output labels = scope.Call("Reshape", {AsType(neighbours, DType::kInt64), Constant<int32_t>(scope, {-1, 1})});
  const Output losses =
      NceLoss(scope, {weights}, {bias}, labels, vectors, options.sampled, options.vocabulary, {.seed = options.seed});
  Finish(scope, model, scope.Call("Mean", {losses, Constant<int32_t>(scope, {0})}), optimizer);
  return model;
}

}  // namespace plumb::models
