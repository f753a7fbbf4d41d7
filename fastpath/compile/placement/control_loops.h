// Pass: a small loop on each device that takes part in a loop, so that its Recvs are started once in each iteration
// (rule W26).
#pragma once

#include <map>
#include <utility>

#include "fastpath/compile/graph/frames.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// By frame and plan: the Merge that fires once, live, in every iteration. Empty for frames that lie in one plan.
using ControlLoops = std::map<std::pair<int, int>, NodeId>;

// For each frame that lies in several plans and each of these: Enter → Merge → Switch → NextIteration, steered by the
// frame's LoopCond; the Enter of a nested frame waits for the Merge around it. `frames` are those of the graph as it is
// given. Throws kInvalidArgument where a frame has no predicate.
ControlLoops AddControlLoops(StepGraph& graph, const FrameMap& frames, const DeviceSet& devices);

}  // namespace plumb::fast
