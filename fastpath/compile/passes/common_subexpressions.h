// Pass: nodes that must give equal results become one (rules O2, O3).
#pragma once

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

void MergeCommonSubexpressions(StepGraph& graph);

}  // namespace plumb::fast
