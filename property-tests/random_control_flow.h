// Random conditionals and loops, nested up to three deep, decoded from a tape.
#pragma once

#include "client/scope.h"
#include "property-tests/random_graph.h"

namespace plumb::property {

struct RandomProgram {
  std::vector<Feed> feeds;      // float32 or float64 vectors of two elements
  std::vector<Output> inputs;   // the placeholders, in the order of the feeds
  std::vector<Output> results;  // at least one, each a vector like the inputs
};

struct RandomProgramOptions {
  DType dtype = DType::kFloat;
  int max_depth = 3;
};

// Builds into `scope`. Bodies use values from outside, loops run 0 to 3 times, predicates depend on values.
RandomProgram RandomControlFlow(Scope& scope, Tape& tape, const RandomProgramOptions& options);

}  // namespace plumb::property
