// Pass: the part of the graph that a request needs, with its feeds and fetches as nodes (rules F1–F24).
#pragma once

#include "fastpath/compile/graph/request.h"
#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

StepGraph Prune(std::shared_ptr<const Graph> graph, const Request& request);

}  // namespace plumb::fast
