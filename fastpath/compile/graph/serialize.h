// A step's graph as bytes: what one process compiled, another one can run.
#pragma once

#include <string>
#include <string_view>

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

// Of what is written. A reader takes its own version only.
inline constexpr int kStepGraphVersion = 1;

// Throws kInvalidArgument where a constant lies in a device's memory: serialise before constants are uploaded; and
// where a pass made a kernel.
std::string Serialize(const StepGraph& graph);
// An equal graph, whose nodes are all its own. Throws kFailedPrecondition for another version, kInvalidArgument for
// bytes that are not such a graph, for what a node says beyond what is known here, and for an op that is neither in the
// catalogue nor stands for others.
StepGraph Deserialize(std::string_view bytes);

}  // namespace plumb::fast
