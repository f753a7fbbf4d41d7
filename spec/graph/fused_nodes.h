// Nodes that TensorFlow's optimizer has fused, taken apart again (clause A9).
#pragma once

#include "spec/graph/graph.h"

namespace plumb {

// Gives each node of a fused op the nodes that it stands for, behind those of the graph; it becomes an Identity of the
// last one, under its own name. A node whose attributes ask for something else stays as it is (A8).
void TakeFusedNodesApart(Graph& graph);

}  // namespace plumb
