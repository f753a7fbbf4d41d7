// Effects in the loops of a function's body, as the call sees them (clause FN5).
#pragma once

#include <string>
#include <vector>

#include "fastpath/compile/functions/call_nodes.h"
#include "spec/graph/function_library.h"

namespace plumb::fast {

// Nodes in the frame of the call that have run when all effects of `body` have, in all turns of its loops. `ids` are
// the body's nodes in the step.
std::vector<NodeId> EffectsOutsideLoops(CallNodes& nodes, const Node& call, const std::string& label,
                                        const FunctionBody& body, const std::vector<NodeId>& ids);

}  // namespace plumb::fast
