// Word2vec's skip-grams (Mikolov et al.): vectors of words that tell their neighbours from a sample of others.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct Word2VecOptions {
  int64_t vocabulary = 50'000;
  int64_t size = 128;
  int64_t sampled = 64;  // words that each step tells the neighbours from
  int64_t batch = 128;
  int64_t seed = 1;
};

// Inputs: words and neighbours, ids [batch]; ids are sorted by frequency. The loss is the mean noise-contrastive one.
Learner BuildWord2Vec(Scope& scope, Optimizer& optimizer, const Word2VecOptions& options = {});

}  // namespace plumb::models
