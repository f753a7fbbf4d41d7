// Captions of images: convolutions see an image, an LSTM that starts with what they saw writes about it.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct CaptioningOptions {
  int64_t side = 64;      // of the images, in three colours
  int64_t channels = 32;  // of the first convolution; the others have twice and four times as many
  int64_t vocabulary = 12'000;
  int64_t units = 512;  // of the LSTM and the embedding
  int64_t steps = 20;
  int64_t batch = 32;
  double clip_norm = 5;
  int64_t seed = 1;
};

// Inputs: images [batch, side, side, 3], written and targets, ids [batch, steps]: the words that the writer has before
// it (shifted by one), and those that it is to write. The loss is the mean cross entropy per word.
Learner BuildCaptioning(Scope& scope, Optimizer& optimizer, const CaptioningOptions& options = {});

}  // namespace plumb::models
