#include "models/sequence/transformer_translation.h"

#include "client/initializers.h"
#include "models/layers.h"
#include "models/sequence/attention.h"

namespace plumb::models {
namespace {

constexpr int64_t kSeedsOfLayer = 10;

Output EncoderLayer(Scope& scope, Output rows, const AttentionSizes& sizes, int64_t seed) {
  const auto named = scope.Sub("encoder");
  const Output read = LayerNorm(scope, rows, "attention_norm");
  const Output seen = rows + Attention(scope, read, read, std::nullopt, sizes, seed, "attention");
  return seen + Perceptron(scope, LayerNorm(scope, seen, "hidden_norm"), sizes, seed + 4);
}

Output DecoderLayer(Scope& scope, Output rows, Output memory, Output mask, const AttentionSizes& sizes, int64_t seed) {
  const auto named = scope.Sub("decoder");
  const Output read = LayerNorm(scope, rows, "attention_norm");
  const Output written = rows + Attention(scope, read, read, mask, sizes, seed, "attention");
  const Output asking = LayerNorm(scope, written, "source_norm");
  const Output seen = written + Attention(scope, asking, memory, std::nullopt, sizes, seed + 4, "source");
  return seen + Perceptron(scope, LayerNorm(scope, seen, "hidden_norm"), sizes, seed + 8);
}

}  // namespace

Learner BuildTransformerTranslation(Scope& scope, Optimizer& optimizer, const TransformerTranslationOptions& options) {
  const AttentionSizes sizes = {options.size, options.hidden, options.heads, options.batch};
  CheckHeads(sizes);
  Learner model;
  const Output source = model.FeedIds(scope, {options.batch, options.source_steps}, options.vocabulary, "source");
  const Output words = model.FeedIds(scope, {options.batch, options.target_steps}, options.vocabulary, "words");
  const Output targets = model.FeedIds(scope, {options.batch, options.target_steps}, options.vocabulary, "targets");
  const auto table = [&](int64_t rows, int64_t seed, const char* name) {
    return MakeVariable(scope, GlorotUniform(scope, DType::kFloat, {rows, options.size}, seed), {name});
  };
  const Variable embedding = table(options.vocabulary, options.seed, "embedding");
  const Variable source_places = table(options.source_steps, options.seed + 1, "source_places");
  const Variable target_places = table(options.target_steps, options.seed + 2, "target_places");
  int64_t seed = options.seed + 3;
  Output memory = EmbedWords(scope, embedding, source_places, source);
  for (int64_t layer = 0; layer < options.layers; ++layer, seed += kSeedsOfLayer) {
    memory = EncoderLayer(scope, memory, sizes, seed);
  }
  memory = LayerNorm(scope, memory, "source_norm");
  Output rows = EmbedWords(scope, embedding, target_places, words);
  const Output mask = CausalMask(scope, options.target_steps);
  for (int64_t layer = 0; layer < options.layers; ++layer, seed += kSeedsOfLayer) {
    rows = DecoderLayer(scope, rows, memory, mask, sizes, seed);
  }
  const Output logits = scope.Call("MatMul", {LayerNorm(scope, rows, "norm"), embedding}, {{"transpose_b", true}});
  const Output flat = scope.Call("Reshape", {targets, Constant<int32_t>(scope, {-1})});
  Finish(scope, model, MeanCrossEntropy(scope, logits, flat), optimizer);
  return model;
}

}  // namespace plumb::models
