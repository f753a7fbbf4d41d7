// Whether kernels exist for the types of a graph's nodes (rule A7).
#pragma once

#include "spec/graph/graph.h"

namespace plumb {

// Throws kInvalidArgument, with Reason::kNoKernel, for the first node whose types no CPU kernel takes, needed or not.
// Called by whoever is about to run the graph; graphs that are only looked at may have such nodes.
void CheckKernelTypes(const Graph& graph);
// The same for a node, for whoever makes its kernel: one of a function's body is in no graph that was looked at.
void CheckKernelTypes(const Node& node);

}  // namespace plumb
