// Deep Q-learning (Mnih et al.) on numbers: what an action is worth is learned from what it earned and from what a copy
// of the network, which follows now and then, thinks of the state after it.
#pragma once

#include "models/learner.h"

namespace plumb::models {

struct DeepQOptions {
  int64_t features = 4;  // of a state
  int64_t actions = 2;
  int64_t units = 64;  // of the hidden layer
  double discount = 0.99;
  int64_t batch = 32;  // transitions of a step
  int64_t seed = 1;
};

// A program's loop: fetch `values` to choose an action, remember what comes of it, run `learner.train` on what it
// remembers, and `follow` every so many steps.
struct DeepQ {
  Learner learner;
  Output state;                   // float32 [batch, features], the first of the inputs
  Output values;                  // float32 [batch, actions], of each action in `state`
  NodeId follow = NodeId::kNone;  // the copy becomes the network as it is
};

// Inputs: states [batch, features], actions, ids [batch], rewards [batch], next states [batch, features], goes on,
// ids below 2, [batch]: 0 where the episode ended. The loss is Huber's.
DeepQ BuildDeepQ(Scope& scope, Optimizer& optimizer, const DeepQOptions& options = {});

}  // namespace plumb::models
