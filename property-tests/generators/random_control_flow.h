// Random conditionals and loops, nested up to three deep, decoded from a tape.
#pragma once

#include "client/scope.h"
#include "property-tests/generators/random_program.h"
#include "property-tests/generators/rows.h"

namespace plumb::property {

struct RandomProgramOptions {
  DType dtype = DType::kFloat;
  int max_depth = 3;
  Smoothness functions = Smoothness::kBends;  // at least, as in random_graph.h
  Declares declares = nullptr;
};

// Builds into `scope`. Values are vectors of two float32 or float64. Bodies use values from outside, loops run 0 to 3
// times, predicates depend on values. Of a backend that declares what it takes, nothing else is drawn; NothingToCompare
// where it takes neither all ops of conditionals nor all of loops.
RandomProgram RandomControlFlow(Scope& scope, Tape& tape, const RandomProgramOptions& options);

}  // namespace plumb::property
