// Pass: puts the bodies of functions in the place of the nodes that call them (clauses FN5–FN7). A condition becomes
// Switches and Merges, a loop a frame of its own.
#pragma once

#include <functional>
#include <memory>

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast {

// Makes the kernel of a call that is not inlined: a function that calls itself, or more copies than a plan should hold.
// `depth` calls lie around it.
using CallKernelFactory = std::function<std::shared_ptr<Kernel>(const Node& call, int depth)>;

// `depth` calls lie around the graph itself. Throws as CheckCalls does.
void InlineFunctions(StepGraph& graph, int depth, const CallKernelFactory& call_kernel);

}  // namespace plumb::fast
