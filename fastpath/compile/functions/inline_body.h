// The nodes of a function's body, put into a step's graph.
#pragma once

#include <string>
#include <vector>

#include "fastpath/compile/functions/call_nodes.h"
#include "spec/graph/function_library.h"

namespace plumb::fast {

struct InlinedBody {
  std::vector<Endpoint> results;
  std::vector<NodeId> effects;  // in the frame of the call; they have run when all of the body's have
  std::vector<NodeId> calls;    // nodes that call functions in their turn
};

// The body of a function that `call` calls, over `args`; its nodes are named by the path (clause FN6). What has no
// inputs runs after the pivot, where there is one: all of it, or stateful nodes only.
InlinedBody InlineBody(CallNodes& nodes, const Node& call, const std::string& label, const FunctionBody& body,
                       const std::vector<Endpoint>& args, NodeId pivot, bool pivot_for_all);

}  // namespace plumb::fast
