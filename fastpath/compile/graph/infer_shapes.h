// Pass: what is known of each output's shape before the step runs.
#pragma once

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

// Sets StepNode::output_shapes by the rules of the rows. What a rule refuses stays unknown: it fails when it runs, if
// it does.
void InferStepShapes(StepGraph& graph);

}  // namespace plumb::fast
