// Pass: where the inputs of every node lie.
//
// A frame's iteration is one block of slots; the inputs of a node are neighbours in it, in the order in which nodes are
// likely to run. Constants that wait for nothing lie in their consumers' slots for ever. Everything else passes through
// a slot once, and its last consumer gets the producer's own handle, so that a kernel that is a value's last user may
// write its result into it (rule O11).
#pragma once

#include <vector>

#include "fastpath/compile/graph/frames.h"

namespace plumb::fast {

struct MemoryPlan {
  std::vector<bool> is_resident;     // by node: a constant that stays in its consumers' slots and needs no node
  std::vector<uint32_t> first_slot;  // by node: of its inputs, in its frame's block
  std::vector<uint32_t> num_slots;   // by frame
};

// Slots are given in the order of `order`.
MemoryPlan PlanMemory(const StepGraph& graph, const FrameMap& frames, const std::vector<NodeId>& order);

// Whether iterations follow each other in the root frame itself.
bool HasRootLoop(const StepGraph& graph, const FrameMap& frames);

}  // namespace plumb::fast
