// A mixture of experts (Shazeer et al.'s gates, without their noise): many perceptrons compute, and for each example the
// answers of a few count.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct MixtureOfExpertsOptions {
  int64_t features = 784;
  int64_t classes = 10;
  int64_t experts = 16;
  int64_t chosen = 4;     // experts for each example
  int64_t units = 256;    // of each expert's hidden layer
  int64_t outputs = 128;  // of each expert
  int64_t batch = 128;
  int64_t seed = 1;
};

// Inputs: examples [batch, features], labels, ids [batch]. The gate's weights are the softmax over the chosen experts;
// those of the others are 0. All experts compute. The loss is the mean cross entropy. kInvalidArgument unless some and
// not more than all experts are chosen.
Learner BuildMixtureOfExperts(Scope& scope, Optimizer& optimizer, const MixtureOfExpertsOptions& options = {});

}  // namespace plumb::models
