#include "models/sequence/transformer.h"

#include <cmath>

#include "client/embedding/lookup.h"
#include "client/initializers.h"
#include "models/layers.h"

namespace plumb::models {
namespace {

// Rows [batch · steps, size] with mean 0 and variance 1, then scaled and moved.
Output LayerNorm(Scope& scope, Output rows, const std::string& name) {
  const auto named = scope.Sub(name);
  const int64_t size = rows.shape().dim(1);
  const Variable scale = MakeVariable(scope, Filled(scope, DType::kFloat, {size}, 1), {"scale"});
  const Variable offset = MakeVariable(scope, Filled(scope, DType::kFloat, {size}, 0), {"offset"});
  const auto mean = [&](Output value) {
    return scope.Call("Mean", {value, Constant<int32_t>(scope, {1})}, {{"keep_dims", true}});
  };
  const Output centred = rows - mean(rows);
  const Output variance = mean(scope.Call("Square", {centred}));
  return centred * scope.Call("Rsqrt", {variance + 1e-5}) * scale + offset;
}

// 0 where a word may look, and a number that leaves no attention where it may not: [steps, steps].
Output CausalMask(Scope& scope, int64_t steps) {
  Tensor mask(DType::kFloat, Shape({steps, steps}));
  for (int64_t i = 0; i < steps * steps; ++i) mask.mutable_data<float>()[i] = i % steps > i / steps ? -1e9f : 0;
  return Constant(scope, mask);
}

// [batch · steps, size] → [batch, heads, steps, size / heads].
Output SplitHeads(Scope& scope, Output rows, const TransformerOptions& options) {
  const auto part = static_cast<int32_t>(options.size / options.heads);
  const Output apart = scope.Call(
      "Reshape",
      {rows, Constant<int32_t>(scope, {static_cast<int32_t>(options.batch), static_cast<int32_t>(options.steps),
                                       static_cast<int32_t>(options.heads), part})});
  return scope.Call("Transpose", {apart, Constant<int32_t>(scope, {0, 2, 1, 3})});
}

// Each head's words weighted by softmax(q · k / √(size of a head)).
Output SelfAttention(Scope& scope, Output rows, Output mask, const TransformerOptions& options, int64_t seed) {
  const auto named = scope.Sub("attention");
  const auto project = [&](int64_t salt, const char* name) {
    return SplitHeads(scope, Dense(scope, rows, options.size, seed + salt, name), options);
  };
  const Output query = project(0, "query"), key = project(1, "key"), value = project(2, "value");
  const double scale = 1 / std::sqrt(static_cast<double>(options.size / options.heads));
  const Output scores = scope.Call("BatchMatMulV2", {query, key}, {{"adj_y", true}}) * scale + mask;
  const Output seen = scope.Call("BatchMatMulV2", {scope.Call("Softmax", {scores}), value});
  const Output joined = scope.Call("Transpose", {seen, Constant<int32_t>(scope, {0, 2, 1, 3})});
  const Output flat =
      scope.Call("Reshape", {joined, Constant<int32_t>(scope, {-1, static_cast<int32_t>(options.size)})});
  return Dense(scope, flat, options.size, seed + 3, "output");
}

Output Block(Scope& scope, Output rows, Output mask, const TransformerOptions& options, int64_t seed) {
  const auto named = scope.Sub("layer");
  const Output seen = rows + SelfAttention(scope, LayerNorm(scope, rows, "attention_norm"), mask, options, seed);
  const Output hidden = Dense(scope, LayerNorm(scope, seen, "hidden_norm"), options.hidden, seed + 4, "hidden");
  return seen + Dense(scope, scope.Call("Relu", {hidden}), options.size, seed + 5, "output");
}

}  // namespace

Learner BuildTransformer(Scope& scope, Optimizer& optimizer, const TransformerOptions& options) {
  Require(options.heads > 0 && options.size % options.heads == 0, "a transformer cannot part ", options.size,
          " numbers among ", options.heads, " heads");
  Learner model;
  const Output words = model.FeedIds(scope, {options.batch, options.steps}, options.vocabulary, "words");
  const Output targets = model.FeedIds(scope, {options.batch, options.steps}, options.vocabulary, "targets");
  const auto table = [&](int64_t rows, int64_t seed, const char* name) {
    return MakeVariable(scope, GlorotUniform(scope, DType::kFloat, {rows, options.size}, seed), {name});
  };
  const Variable embedding = table(options.vocabulary, options.seed, "embedding");
  const Variable positions = table(options.steps, options.seed + 1, "positions");
  const double scale = std::sqrt(static_cast<double>(options.size));
  Output rows = Rows(scope, EmbeddingLookup(scope, {embedding}, words) * scale + positions);
  const Output mask = CausalMask(scope, options.steps);
  for (int64_t layer = 0; layer < options.layers; ++layer) {
    rows = Block(scope, rows, mask, options, options.seed + 2 + 6 * layer);
  }
  const Output logits = scope.Call("MatMul", {LayerNorm(scope, rows, "norm"), embedding}, {{"transpose_b", true}});
  const Output flat = scope.Call("Reshape", {targets, Constant<int32_t>(scope, {-1})});
  Finish(scope, model, MeanCrossEntropy(scope, logits, flat), optimizer);
  return model;
}

}  // namespace plumb::models
