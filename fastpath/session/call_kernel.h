// Calls that are compiled when they run: of functions that call themselves (clause FN9).
#pragma once

#include "fastpath/compile/compile.h"
#include "fastpath/execute/executor.h"

namespace plumb::fast {

// What such calls compile with. All of it outlives them.
struct CallEnvironment {
  const CompileOptions& options;
  const KernelSource& kernels;
  StepEnvironment& steps;
};

// Makes the kernels of calls of `graph`'s functions.
CallKernelFactory MakeCallKernels(std::shared_ptr<const Graph> graph, CallEnvironment environment);

}  // namespace plumb::fast
