// A transformer that predicts the next word (Vaswani et al.'s decoder without a second sentence).
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct TransformerOptions {
  int64_t vocabulary = 37'000;
  int64_t size = 512;     // of what runs between the layers; a multiple of the heads
  int64_t hidden = 2048;  // of the layers' perceptrons
  int64_t heads = 8;
  int64_t layers = 6;
  int64_t steps = 64;  // words per sequence
  int64_t batch = 32;
  int64_t seed = 1;
};

// Inputs: words and targets, ids [batch, steps]. Each word sees itself and those before it. Layers are normalised
// before they read; positions are learned; the table of words also gives the logits. The loss is the mean cross entropy
// per word. kInvalidArgument where the heads do not divide the size.
Learner BuildTransformer(Scope& scope, Optimizer& optimizer, const TransformerOptions& options = {});

}  // namespace plumb::models
