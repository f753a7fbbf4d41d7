#include "models/sequence/attention.h"

#include <cmath>

#include "client/embedding/lookup.h"
#include "client/initializers.h"
#include "models/layers.h"
#include "models/learner.h"

namespace plumb::models {
namespace {

// [batch · words, size] → [batch, heads, words, size / heads].
Output SplitHeads(Scope& scope, Output rows, const AttentionSizes& sizes) {
  const auto batch = static_cast<int32_t>(sizes.batch), heads = static_cast<int32_t>(sizes.heads);
  const auto part = static_cast<int32_t>(sizes.size / sizes.heads);
  const Output apart = scope.Call("Reshape", {rows, Constant<int32_t>(scope, {batch, -1, heads, part})});
  return scope.Call("Transpose", {apart, Constant<int32_t>(scope, {0, 2, 1, 3})});
}

}  // namespace

void CheckHeads(const AttentionSizes& sizes) {
  Require(sizes.heads > 0 && sizes.size % sizes.heads == 0, "a transformer cannot part ", sizes.size, " numbers among ",
          sizes.heads, " heads");
}

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

Output CausalMask(Scope& scope, int64_t steps) {
  Tensor mask(DType::kFloat, Shape({steps, steps}));
  for (int64_t i = 0; i < steps * steps; ++i) mask.mutable_data<float>()[i] = i % steps > i / steps ? -1e9f : 0;
  return Constant(scope, mask);
}

Output Attention(Scope& scope, Output rows, Output memory, std::optional<Output> mask, const AttentionSizes& sizes,
                 int64_t seed, const std::string& name) {
  const auto named = scope.Sub(name);
  const auto project = [&](Output from, int64_t salt, const char* role) {
    return SplitHeads(scope, Dense(scope, from, sizes.size, seed + salt, role), sizes);
  };
  const Output query = project(rows, 0, "query"), key = project(memory, 1, "key"), value = project(memory, 2, "value");
  const double scale = 1 / std::sqrt(static_cast<double>(sizes.size / sizes.heads));
  Output scores = scope.Call("BatchMatMulV2", {query, key}, {{"adj_y", true}}) * scale;
  if (mask) scores = scores + *mask;
  const Output seen = scope.Call("BatchMatMulV2", {scope.Call("Softmax", {scores}), value});
  const Output joined = scope.Call("Transpose", {seen, Constant<int32_t>(scope, {0, 2, 1, 3})});
  const Output flat = scope.Call("Reshape", {joined, Constant<int32_t>(scope, {-1, static_cast<int32_t>(sizes.size)})});
  return Dense(scope, flat, sizes.size, seed + 3, "output");
}

Output Perceptron(Scope& scope, Output rows, const AttentionSizes& sizes, int64_t seed) {
  const Output hidden = scope.Call("Relu", {Dense(scope, rows, sizes.hidden, seed, "hidden")});
  return Dense(scope, hidden, sizes.size, seed + 1, "output");
}

Output EmbedWords(Scope& scope, const Variable& table, const Variable& places, Output words) {
  const double scale = std::sqrt(static_cast<double>(table.value().shape().dim(1)));
  return Rows(scope, EmbeddingLookup(scope, {table}, words) * scale + places);
}

}  // namespace plumb::models
