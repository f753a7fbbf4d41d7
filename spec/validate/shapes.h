// Shapes of a whole graph before it runs. Sessions do not check them (rule T7); importing a graph into a client does.
#pragma once

#include <vector>

#include "spec/core/shape.h"
#include "spec/graph/graph.h"

namespace plumb {

// What is known of each node's outputs, by the shape rules, constants and shape arithmetic. Throws kInvalidArgument,
// naming the node, where a rule refuses its inputs.
std::vector<std::vector<PartialShape>> InferGraphShapes(const Graph& graph);

}  // namespace plumb
