// While loops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "client/scope.h"

namespace plumb {

using LoopVars = std::vector<Output>;

struct WhileOptions {
  int parallel_iterations = 10;
  bool back_prop = true;                            // without it the loop has no gradient (rule D37)
  bool swap_memory = false;                         // what is kept for the gradient may move to host memory
  std::vector<PartialShape> shape_invariants = {};  // one per variable, or none: the shapes of the initial values
  std::string name = "while";
};

// Repeats vars = body(vars) while condition(vars) holds, starting with `initial`; gives the last values. Body and
// condition may use values from outside; these stay the same in all iterations.
LoopVars WhileLoop(Scope& scope, const LoopVars& initial, const std::function<Output(const LoopVars&)>& condition,
                   const std::function<LoopVars(const LoopVars&)>& body, const WhileOptions& options = {});

}  // namespace plumb
