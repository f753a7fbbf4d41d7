// Calls that are compiled when they run: of functions that call themselves (clause FN9). The call itself runs on the
// host, and so does all of its body but what asks for an accelerator, which runs there, as parts of their own. While
// the body runs, or waits, no thread is held by the call. One for an executor that there is not fails then (FN5).
#pragma once

#include "fastpath/compile/compile.h"
#include "fastpath/execute/partitioned_executor.h"

namespace plumb::fast {

// What such calls compile with. All of it outlives them.
struct CallEnvironment {
  const CompileOptions& options;
  const DeviceSet& devices;
  const DeviceKernels& kernels;
  StepEnvironment& steps;
};

// Makes the kernels of calls of `graph`'s functions.
CallKernelFactory MakeCallKernels(std::shared_ptr<const Graph> graph, CallEnvironment environment);

}  // namespace plumb::fast
