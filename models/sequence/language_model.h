// A language model of words: LSTM-512-512 of Jozefowicz et al., 512 units whose output is projected to 512 numbers.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct LanguageModelOptions {
  int64_t vocabulary = 40'000;
  int64_t embedding = 512;
  int64_t units = 512;
  int64_t projection = 512;
  int64_t steps = 20;  // words per sequence
  int64_t batch = 128;
  int64_t sampled = 0;  // words that each step's softmax looks at beside the right ones; 0: all
  double clip_norm = 10;
  int64_t seed = 1;
};

// Inputs: words and targets, ids [batch, steps]. The loss is the mean cross entropy per word, in nats, over the words
// that the softmax looks at. Each batch starts with a state of zeros.
Learner BuildLanguageModel(Scope& scope, Optimizer& optimizer, const LanguageModelOptions& options = {});

}  // namespace plumb::models
