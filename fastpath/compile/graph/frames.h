// Analysis: which frame each node lives in, and the static rules of frames (X11, X12).
#pragma once

#include <string>
#include <vector>

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

struct FrameInfo {
  std::string name;  // empty: the root frame
  int parent = -1;
  int enters = 0;              // nodes that enter it (rule X15)
  bool has_predicate = false;  // a LoopCond says when it ends
};

struct FrameMap {
  std::vector<FrameInfo> frames;  // the root first, parents before children
  std::vector<int> of_node;       // the frame whose iterations the node runs in; an Enter runs in the outer one
  std::vector<int> of_output;     // the frame that receives the node's tokens
};

// Throws kInvalidArgument naming the node whose inputs come from different frames, the frame with two parents or two
// predicates, the Exit outside of any frame.
FrameMap AnalyzeFrames(const StepGraph& graph);

// W26: a frame may lie on several devices only if it and every frame around it have a predicate.
bool MaySpreadOverDevices(const FrameMap& frames, int frame);
// Throws kInvalidArgument naming the frame that lies on several devices and may not. Devices are set.
void CheckFrameDevices(const StepGraph& graph, const FrameMap& frames);

}  // namespace plumb::fast
