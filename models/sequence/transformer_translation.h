// A transformer that translates (Vaswani et al.): an encoder reads a sentence, a decoder writes another while it looks
// at what was read.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct TransformerTranslationOptions {
  int64_t vocabulary = 37'000;  // of both languages
  int64_t size = 512;           // of what runs between the layers; a multiple of the heads
  int64_t hidden = 2048;        // of the layers' perceptrons
  int64_t heads = 8;
  int64_t layers = 6;  // of the encoder, and of the decoder
  int64_t source_steps = 32, target_steps = 32;
  int64_t batch = 32;
  int64_t seed = 1;
};

// Inputs: source, ids [batch, source steps], words and targets, ids [batch, target steps]. Each word that is written
// sees itself, those before it, and all of the source. Layers are normalised before they read; places are learned; one
// table holds the words of both sentences and gives the logits. The loss is the mean cross entropy per word.
// kInvalidArgument where the heads do not divide the size.
Learner BuildTransformerTranslation(Scope& scope, Optimizer& optimizer,
                                    const TransformerTranslationOptions& options = {});

}  // namespace plumb::models
