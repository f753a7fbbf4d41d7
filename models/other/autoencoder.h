// A deep autoencoder (Hinton and Salakhutdinov's sizes): images of digits through a bottleneck of 30 numbers.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct AutoencoderOptions {
  int64_t features = 784;
  std::vector<int64_t> units = {1000, 500, 250, 30};  // of the encoder; the decoder has the same backwards
  int64_t batch = 100;
  int64_t seed = 1;
};

// Input: images [batch, features], within [0, 1]. The loss is the mean cross entropy of each number and what comes out.
// kInvalidArgument without units.
Learner BuildAutoencoder(Scope& scope, Optimizer& optimizer, const AutoencoderOptions& options = {});

}  // namespace plumb::models
