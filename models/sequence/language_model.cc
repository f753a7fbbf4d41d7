#include "models/sequence/language_model.h"

#include "client/embedding/sampled_losses.h"
#include "client/initializers.h"
#include "client/rnn/rnn.h"
#include "models/layers.h"

namespace plumb::models {
namespace {

Output Mean(Scope& scope, Output values) { return scope.Call("Mean", {values, Constant<int32_t>(scope, {0})}); }

// Of hidden rows [rows, size] against targets [rows]. Weights have a row for each word, as sampling takes rows.
Output SoftmaxLoss(Scope& scope, Output rows, Output targets, const LanguageModelOptions& options) {
  const auto named = scope.Sub("softmax");
  const int64_t size = rows.shape().dim(1);
  const Variable weights = MakeVariable(
      scope, GlorotUniform(scope, DType::kFloat, {options.vocabulary, size}, options.seed + 1), {"weights"});
  const Variable bias = MakeVariable(scope, Filled(scope, DType::kFloat, {options.vocabulary}, 0), {"bias"});
  if (options.sampled == 0) {
    const Output logits = scope.Call("MatMul", {rows, weights}, {{"transpose_b", true}});
    return MeanCrossEntropy(scope, scope.Call("BiasAdd", {logits, bias}), targets);
  }
  const Output labels = scope.Call("Reshape", {AsType(targets, DType::kInt64), Constant<int32_t>(scope, {-1, 1})});
  return Mean(scope, SampledSoftmaxLoss(scope, {weights}, {bias}, labels, rows, options.sampled, options.vocabulary,
                                        {.seed = options.seed}));
}

}  // namespace

Learner BuildLanguageModel(Scope& scope, Optimizer& optimizer, const LanguageModelOptions& options) {
  Learner model;
  const Output words = model.FeedIds(scope, {options.batch, options.steps}, options.vocabulary, "words");
  const Output targets = model.FeedIds(scope, {options.batch, options.steps}, options.vocabulary, "targets");
  const Output x = Embed(scope, words, options.vocabulary, options.embedding, options.seed, "embedding");
  LstmOptions lstm;
  lstm.projection = options.projection;
  lstm.cell.seed = options.seed + 2;
  const Output hidden = DynamicRnn(scope, LstmCell(options.units, lstm), x).outputs;
  const Output flat = scope.Call("Reshape", {targets, Constant<int32_t>(scope, {-1})});
  Finish(scope, model, SoftmaxLoss(scope, Rows(scope, hidden), flat, options), optimizer, options.clip_norm);
  return model;
}

}  // namespace plumb::models
