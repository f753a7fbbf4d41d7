// A generative adversarial network (Goodfellow et al.): one perceptron makes images of noise, another tells them from
// real ones; each step improves both, each against the other as it was before the step.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct GanOptions {
  int64_t features = 784;
  int64_t noise = 100;
  int64_t generator_units = 128, discriminator_units = 128;
  int64_t batch = 128;
  int64_t seed = 1;
};

struct Gan {
  Learner learner;        // its loss is the discriminator's
  Output images;          // float32 [batch, features], what the generator makes
  Output generator_loss;  // float32 [], how rarely its images pass for real ones
};

// Inputs: real images [batch, features], within [0, 1]; noise [batch, noise].
Gan BuildGan(Scope& scope, Optimizer& optimizer, const GanOptions& options = {});

}  // namespace plumb::models
