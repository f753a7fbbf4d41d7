// Checks of cycles (rule G9) and of frames (rules X11, X12).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb {

bool IsMerge(const Node& node);          // Merge, RefMerge
bool IsNextIteration(const Node& node);  // NextIteration, RefNextIteration
bool IsEnter(const Node& node);          // Enter, RefEnter
bool IsExit(const Node& node);           // Exit, RefExit
bool IsSwitch(const Node& node);         // Switch, RefSwitch

// G9: every cycle goes through an edge NextIteration → Merge.
void CheckCycles(const Graph& graph);

// The frame that each node belongs to, from the static structure.
struct FrameMap {
  std::vector<std::string> names;               // all frames; [0] is the root frame, called ""
  std::vector<int> parents;                     // per frame; -1 for the root
  std::vector<int> of_node;                     // per node; -1 for nodes outside `live`
  std::vector<std::vector<NodeId>> loop_conds;  // per frame
};

// X11, X12, checked on the nodes that `live` keeps. An endpoint in `fed` is a source in the root frame (rule F10).
// Throws kInvalidArgument naming the node.
FrameMap CheckFrames(const Graph& graph, const std::vector<bool>& live, const std::set<Endpoint>& fed = {});

}  // namespace plumb
