// Pass: lays the nodes of a step out as the arrays of a Plan.
#pragma once

#include <functional>

#include "fastpath/compile/graph/frames.h"
#include "fastpath/compile/graph/request.h"
#include "fastpath/compile/plan/plan.h"

namespace plumb::fast {

// Gives the kernel of a node; throws as a KernelFactory does. Kernels of stateful nodes must be the same for every plan
// of a session (rule S6).
using KernelSource = std::function<std::shared_ptr<Kernel>(const Node&)>;

std::shared_ptr<const Plan> BuildPlan(const StepGraph& graph, const FrameMap& frames, const Request& request,
                                      const KernelSource& kernels);

}  // namespace plumb::fast
