#include "fastpath/compile/plan/plan_memory.h"

namespace plumb::fast {

bool HasRootLoop(const StepGraph& graph, const FrameMap& frames) {
  for (int i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].kind == NodeKind::kNextIteration && frames.of_node[i] == 0) return true;
  }
  return false;
}

MemoryPlan PlanMemory(const StepGraph& graph, const FrameMap& frames, const std::vector<NodeId>& order) {
  MemoryPlan plan;
  plan.is_resident.resize(graph.nodes.size());
  plan.first_slot.resize(graph.nodes.size());
  plan.num_slots.resize(frames.frames.size());
  // X6: a source fires in the root's first iteration only, so with a second one it is a node like any other.
  const bool has_root_loop = HasRootLoop(graph, frames);
  for (int i = 0; i < graph.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    plan.is_resident[i] = node.kind == NodeKind::kConstant && node.controls.empty() && !has_root_loop;
  }
  for (const StepNode& node : graph.nodes) {
    if (node.kind != NodeKind::kMerge) continue;
    // A Merge takes what arrives first, so it must be told when its inputs arrive.
    for (const Endpoint& input : node.inputs) plan.is_resident[Index(input.node)] = false;
    for (const NodeId control : node.controls) plan.is_resident[Index(control)] = false;
  }
  for (const NodeId id : order) {
    uint32_t& next = plan.num_slots[frames.of_node[Index(id)]];
    plan.first_slot[Index(id)] = next;
    if (graph[id].inputs.size() > UINT32_MAX - 1 - next) throw ResourceExhausted("the step has too many edges");
    next += static_cast<uint32_t>(graph[id].inputs.size());
  }
  return plan;
}

}  // namespace plumb::fast
