// Analysis: the order in which nodes are preferred: the longest remaining path first.
#pragma once

#include <vector>

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

// The nodes in a topological order that a list scheduler would choose: of those that could come next, the one with the
// longest way to the end of the step. Ties keep the order of the nodes.
std::vector<NodeId> OrderByPriority(const StepGraph& graph);

}  // namespace plumb::fast
