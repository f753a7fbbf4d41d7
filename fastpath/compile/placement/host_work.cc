#include "fastpath/compile/placement/host_work.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "fastpath/compile/placement/memory_kinds.h"
#include "fastpath/device/host_values.h"
#include "fastpath/device/variant_transfer.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

std::shared_ptr<Node> Marked(const Node& node) {
  auto marked = std::make_shared<Node>(node);
  marked->id = NodeId::kNone;  // other steps may have it on the device
  marked->attrs[kStaysOnHost] = true;
  return marked;
}

// Nodes that the host may compute and the device would.
class HostWork {
 public:
  HostWork(const StepGraph& graph, const DeviceSet& devices)
      : graph_(graph), memory_(graph, devices), users_(OutEdges(graph)), stays_(graph.nodes.size()) {
    for (int i = 0; i < graph.size(); ++i) {
      const StepNode& node = graph.nodes[i];
      const Device& device = devices[node.device];
      stays_[i] = node.kind == NodeKind::kKernel && node.kernel == nullptr && node.op != nullptr &&
                  !node.op->output_types.empty() && device.memory() != nullptr && MayComputeOnHost(*node.op) &&
                  WouldMove(*node.op, device);
    }
  }

  // By node. The largest set of them that start and end on the host, each by itself or by way of others.
  const std::vector<bool>& Find() {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (int i = 0; i < graph_.size(); ++i) {
        if (!stays_[i] || (StartsOnHost(graph_.nodes[i]) && EndsOnHost(NodeId(i)))) continue;
        stays_[i] = false;
        has_changed = true;
      }
    }
    return stays_;
  }

 private:
  // Whether the mark changes where the device looks for its list, or leaves what it gives.
  static bool WouldMove(const Node& node, const Device& device) {
    const auto marked = Marked(node);
    if (HandlesVariants(node) && !device.ReadsOnHost(node, 0) && device.ReadsOnHost(*marked, 0)) return true;
    return !device.WritesOnHost(node, 0) && device.WritesOnHost(*marked, 0);
  }
  bool StartsOnHost(const StepNode& node) const {
    return std::all_of(node.inputs.begin(), node.inputs.end(),
                       [&](const Endpoint& input) { return stays_[Index(input.node)] || memory_.LiesOnHost(input); });
  }
  // For others of its device, or because the device leaves it there anyway.
  bool EndsOnHost(NodeId id) const {
    if (memory_.LiesOnHost({id, 0})) return true;
    return std::any_of(users_[Index(id)].begin(), users_[Index(id)].end(), [&](const StepEdge& edge) {
      if (edge.input < 0 || graph_[edge.consumer].device != graph_[id].device) return false;
      return stays_[Index(edge.consumer)] || memory_.IsWantedOnHost(edge.consumer, static_cast<size_t>(edge.input));
    });
  }

  const StepGraph& graph_;
  const MemoryKinds memory_;
  const std::vector<std::vector<StepEdge>> users_;
  std::vector<bool> stays_;
};

}  // namespace

// Again for what is then moved on the host.
void KeepWorkOnHost(StepGraph& graph, const DeviceSet& devices) {
  const auto lies_apart = [&](const StepNode& node) { return devices[node.device].memory() != nullptr; };
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), lies_apart)) return;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    const std::vector<bool> stays = HostWork(graph, devices).Find();
    for (size_t i = 0; i < stays.size(); ++i) {
      if (!stays[i]) continue;
      auto marked = Marked(*graph.nodes[i].op);
      graph.nodes[i].op = marked.get();
      graph.made.push_back(std::move(marked));
      has_changed = true;
    }
  }
}

}  // namespace plumb::fast
