// What transformers are made of (Vaswani et al.): rows [batch · words, size] that look at each other. What is read is
// normalised before, and added to what it was.
#pragma once

#include <optional>

#include "client/scope.h"

namespace plumb::models {

struct AttentionSizes {
  int64_t size = 512;     // of a row; a multiple of the heads
  int64_t hidden = 2048;  // of the perceptrons
  int64_t heads = 8;
  int64_t batch = 32;
};
// kInvalidArgument where the heads do not divide the size.
void CheckHeads(const AttentionSizes& sizes);

// Rows with mean 0 and variance 1, then scaled and moved.
Output LayerNorm(Scope& scope, Output rows, const std::string& name);

// 0 where a word may look, at itself and those before it, and a number that leaves no attention elsewhere: [steps,
// steps].
Output CausalMask(Scope& scope, int64_t steps);

// Each head's words of `memory` weighted by softmax(q · k / √(size of a head) + mask), for each word of `rows`. Takes
// four seeds from `seed` on.
Output Attention(Scope& scope, Output rows, Output memory, std::optional<Output> mask, const AttentionSizes& sizes,
                 int64_t seed, const std::string& name);

// A rectified layer and one back to the rows' size, each with its seed from `seed` on.
Output Perceptron(Scope& scope, Output rows, const AttentionSizes& sizes, int64_t seed);

// Rows of a table for each word, scaled by √size, plus one for its place: [batch · words, size].
Output EmbedWords(Scope& scope, const Variable& table, const Variable& places, Output words);

}  // namespace plumb::models
