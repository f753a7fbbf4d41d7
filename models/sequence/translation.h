// Sequence to sequence with attention: one LSTM reads a sentence, another writes one and looks back at it.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct TranslationOptions {
  int64_t source_vocabulary = 40'000, target_vocabulary = 40'000;
  int64_t units = 512;  // of both LSTMs, of the embeddings, and of the attention
  int64_t source_steps = 20, target_steps = 20;
  int64_t batch = 64;
  double clip_norm = 5;
  int64_t seed = 1;
};

// Inputs: source [batch, source steps], written and targets [batch, target steps]: the words that the writer has before
// it (shifted by one), and those that it is to write. The scores of attention are Luong's. The loss is the mean cross
// entropy per word.
Learner BuildTranslation(Scope& scope, Optimizer& optimizer, const TranslationOptions& options = {});

}  // namespace plumb::models
