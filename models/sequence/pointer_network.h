// A pointer network (Vinyals et al.): what it writes are places of what it has read.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct PointerNetworkOptions {
  int64_t units = 256;   // of both LSTMs and of the pointer
  int64_t features = 2;  // of each point
  int64_t points = 10;   // of each example
  int64_t outputs = 10;  // places that are written for each example
  int64_t batch = 128;
  double clip_norm = 2;
  int64_t seed = 1;
};

// Inputs: points [batch, points, features], places [batch, outputs], ids of points. The writer reads the point that it
// ought to have chosen before, at first zeros. The loss is the mean cross entropy per place.
Learner BuildPointerNetwork(Scope& scope, Optimizer& optimizer, const PointerNetworkOptions& options = {});

}  // namespace plumb::models
