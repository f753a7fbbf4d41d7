#include "models/sequence/transformer.h"

#include "client/initializers.h"
#include "models/layers.h"
#include "models/sequence/attention.h"

namespace plumb::models {
namespace {

Output Block(Scope& scope, Output rows, Output mask, const AttentionSizes& sizes, int64_t seed) {
  const auto named = scope.Sub("layer");
  const Output read = LayerNorm(scope, rows, "attention_norm");
  const Output seen = rows + Attention(scope, read, read, mask, sizes, seed, "attention");
  return seen + Perceptron(scope, LayerNorm(scope, seen, "hidden_norm"), sizes, seed + 4);
}

}  // namespace

Learner BuildTransformer(Scope& scope, Optimizer& optimizer, const TransformerOptions& options) {
  const AttentionSizes sizes = {options.size, options.hidden, options.heads, options.batch};
  CheckHeads(sizes);
  Learner model;
  const Output words = model.FeedIds(scope, {options.batch, options.steps}, options.vocabulary, "words");
  const Output targets = model.FeedIds(scope, {options.batch, options.steps}, options.vocabulary, "targets");
  const auto table = [&](int64_t rows, int64_t seed, const char* name) {
    return MakeVariable(scope, GlorotUniform(scope, DType::kFloat, {rows, options.size}, seed), {name});
  };
  const Variable embedding = table(options.vocabulary, options.seed, "embedding");
  const Variable positions = table(options.steps, options.seed + 1, "positions");
  Output rows = EmbedWords(scope, embedding, positions, words);
  const Output mask = CausalMask(scope, options.steps);
  for (int64_t layer = 0; layer < options.layers; ++layer) {
    rows = Block(scope, rows, mask, sizes, options.seed + 2 + 6 * layer);
  }
  const Output logits = scope.Call("MatMul", {LayerNorm(scope, rows, "norm"), embedding}, {{"transpose_b", true}});
  const Output flat = scope.Call("Reshape", {targets, Constant<int32_t>(scope, {-1})});
  Finish(scope, model, MeanCrossEntropy(scope, logits, flat), optimizer);
  return model;
}

}  // namespace plumb::models
