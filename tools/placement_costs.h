// What the nodes of a graph take, for `plumb place`.
#pragma once

#include <string>
#include <string_view>

#include "client/placement/measured_costs.h"
#include "spec/graph/graph_def.h"

namespace plumb::tools {

// What `plumb train --trace` wrote: of each node the mean over the steps in it, of all ranks. Time that a node waits
// for others does not count. Throws kInvalidArgument, with `path`, for text that is no such trace.
MeasuredCosts CostsOfTrace(std::string_view text, const std::string& path);

// Once steps were measured, what no step runs costs nothing, such as initialisers and what is folded when a graph is
// compiled. The number of nodes that were measured.
int LearnWhatRests(const GraphDef& graph, MeasuredCosts& costs);

}  // namespace plumb::tools
