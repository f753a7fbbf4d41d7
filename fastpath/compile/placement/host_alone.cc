#include "fastpath/compile/placement/host_alone.h"

#include <algorithm>

#include "fastpath/device/host_values.h"

namespace plumb::fast {
namespace {

class HostAlone {
 public:
  HostAlone(const StepGraph& graph, const DeviceSet& devices, const MemoryKinds& memory)
      : graph_(graph), devices_(devices), memory_(memory), is_alone_(graph.nodes.size()) {
    for (int i = 0; i < graph.size(); ++i) is_alone_[i] = IsOfHost(NodeId(i));
  }

  // The largest set in which nothing but others of it goes before a node.
  std::vector<bool> Find() && {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (int i = 0; i < graph_.size(); ++i) {
        if (!is_alone_[i] || NeedsNoWork(graph_.nodes[i])) continue;
        is_alone_[i] = false;
        has_changed = true;
      }
    }
    return std::move(is_alone_);
  }

 private:
  // Whether the host does what the node does.
  bool IsOfHost(NodeId id) const {
    const StepNode& node = graph_[id];
    if (devices_[node.device].memory() == nullptr) return false;
    if (node.kind == NodeKind::kKernel) {
      return node.op != nullptr && node.kernel == nullptr && ComputesOnHost(*node.op) && ReadsAndWritesThere(id);
    }
    const bool has_value = OnlyMoves(node.kind) || node.kind == NodeKind::kConstant || node.kind == NodeKind::kLoopCond;
    return has_value && memory_.LiesOnHost({id, 0});
  }
  bool ReadsAndWritesThere(NodeId id) const {
    const StepNode& node = graph_[id];
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (!memory_.IsWantedOnHost(id, k)) return false;
    }
    for (size_t k = 0; k < node.output_types.size(); ++k) {
      if (!memory_.LiesOnHost({id, static_cast<int32_t>(k)})) return false;
    }
    return true;
  }

  // What comes from another device, or from the other memory, has been copied, and is there when it arrives.
  bool NeedsNoWork(const StepNode& node) const {
    const auto needs_none = [&](NodeId other) {
      return is_alone_[Index(other)] || graph_[other].device != node.device;
    };
    return std::all_of(node.inputs.begin(), node.inputs.end(),
                       [&](const Endpoint& input) { return needs_none(input.node) || !memory_.LiesOnHost(input); }) &&
           std::all_of(node.controls.begin(), node.controls.end(), needs_none);
  }

  const StepGraph& graph_;
  const DeviceSet& devices_;
  const MemoryKinds& memory_;
  std::vector<bool> is_alone_;
};

}  // namespace

std::vector<bool> FindHostAlone(const StepGraph& graph, const DeviceSet& devices, const MemoryKinds& memory) {
  return HostAlone(graph, devices, memory).Find();
}

}  // namespace plumb::fast
