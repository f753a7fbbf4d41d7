// Pass: puts the bodies of functions in the place of the nodes that call them (clauses FN5–FN7). A condition becomes
// Switches and Merges, a loop a frame of its own.
#pragma once

#include "fastpath/compile/functions/pass_kernels.h"
#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

// `depth` calls lie around the graph itself; a call that names its device names one of `devices`. Throws as CheckCalls
// does.
void InlineFunctions(StepGraph& graph, int depth, const CallKernelFactory& call_kernel,
                     const std::vector<std::string>& devices);

}  // namespace plumb::fast
