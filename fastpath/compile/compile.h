// From a request to a plan: the passes, in order.
#pragma once

#include "fastpath/compile/build_plan.h"
#include "fastpath/compile/inline_functions.h"

namespace plumb::fast {

struct CompileOptions {
  bool optimize = true;  // common subexpressions and constant folding (rule O9)
  int cpu_devices = 1;
  bool allow_soft_placement = false;  // rule W15
  CallKernelFactory call_kernel = nullptr;
  int call_depth = 0;  // calls around the graph
  // Replaces all feeds and fetches by nodes of its own: the plan then has none (rule P1).
  std::function<void(StepGraph&)> replace_ends = nullptr;
};

// Throws as the passes do. The plan keeps the graph alive. Folded constants are computed on `pool`.
std::shared_ptr<const Plan> Compile(std::shared_ptr<const Graph> graph, const Request& request,
                                    const CompileOptions& options, const KernelSource& kernels, ThreadPool& pool);

}  // namespace plumb::fast
