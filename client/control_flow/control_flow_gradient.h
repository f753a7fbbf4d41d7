// How gradients pass through Switch, Merge and the ops of loops (rules D20–D38).
#pragma once

#include <vector>

#include "client/control_flow/context.h"
#include "spec/ops/gradient.h"

namespace plumb {

// One gradient per input of `node`, a control-flow op, given one per output. Called in the context of the gradient:
// the backward loop of the op's loop, if it has one.
std::vector<GradientValue> ControlFlowGradients(GraphBuilder& builder, NodeId node,
                                                const std::vector<GradientValue>& dys);

}  // namespace plumb
