// K-means by Lloyd's steps: what a step changes follows from the data alone, without gradients or a rate.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct KMeansOptions {
  int64_t clusters = 64;
  int64_t features = 16;
  int64_t points = 4096;
  int64_t seed = 1;
};

// Input: points [points, features]. Each step moves every centre to the mean of the points nearest to it; one without
// points stays. The loss is the mean squared distance to the nearest centre before the step.
Learner BuildKMeans(Scope& scope, const KMeansOptions& options = {});

}  // namespace plumb::models
