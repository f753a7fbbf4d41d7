// Wide and deep (Cheng et al.): a linear model that remembers which categories matter, beside a perceptron that
// generalises from their embeddings; both add up to one logit.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct WideAndDeepOptions {
  int64_t categories = 100'000;  // of all fields together
  int64_t fields = 26;           // categories of each example
  int64_t numbers = 13;          // of each example
  int64_t embedding = 32;
  std::vector<int64_t> units = {1024, 512, 256};
  int64_t batch = 128;
  int64_t seed = 1;
};

// Inputs: categories, ids [batch, fields]; numbers [batch, numbers]; labels, ids below 2, [batch]. The loss is the mean
// logistic one.
Learner BuildWideAndDeep(Scope& scope, Optimizer& optimizer, const WideAndDeepOptions& options = {});

}  // namespace plumb::models
