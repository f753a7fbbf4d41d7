// What models of all kinds have in common beyond their layers: what a program feeds, minimises and runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client/optimizers/optimizer.h"
#include "client/scope.h"
#include "spec/session/session.h"

namespace plumb::models {

struct Learner {
  // A placeholder of a known shape: float32 numbers, or int32 ids that are at least 0 and less than `below`.
  struct Input {
    Output place;
    int64_t below = 0;  // 0 for numbers
  };
  std::vector<Input> inputs;
  Output loss;                   // float32 []
  NodeId train = NodeId::kNone;  // one update of all variables
  NodeId init = NodeId::kNone;   // gives the variables their first values

  // Placeholders that join the inputs. kInvalidArgument for sizes that are not positive.
  Output FeedNumbers(Scope& scope, const std::vector<int64_t>& sizes, const std::string& name);
  Output FeedIds(Scope& scope, const std::vector<int64_t>& sizes, int64_t below, const std::string& name);
};

// Minimises the loss; gradients are scaled down together where their norm is above `clip_norm` (0: never).
void Finish(Scope& scope, Learner& learner, Output loss, Optimizer& optimizer, double clip_norm = 0);

// One update with all gradients scaled down together when their norm is too large.
NodeId MinimizeClipped(Scope& scope, Output loss, Optimizer& optimizer, double clip_norm);

// A value for every input, the same for equal seeds: numbers within [0, 1), and ids. A model learns it by heart.
std::vector<Feed> SyntheticBatch(const Learner& learner, uint32_t seed);

// [a, b, …, n] → [a · b · …, n], the last size being known.
Output Rows(Scope& scope, Output x);
// Rows of a new table [count, size] by ids: shape ids + [size].
Output Embed(Scope& scope, Output ids, int64_t count, int64_t size, int64_t seed, const std::string& name);

}  // namespace plumb::models
