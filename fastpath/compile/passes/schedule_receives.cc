#include "fastpath/compile/passes/schedule_receives.h"

#include <algorithm>
#include <map>

#include "fastpath/compile/graph/cost_model.h"
#include "fastpath/compile/graph/frames.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

constexpr int kEpochs = 100;  // the makespan is cut into so many
constexpr int kAhead = 6;     // a Recv may start so many epochs early

using MayWait = std::function<bool(const StepNode& node)>;

// Nodes of the root frame that fire in every step, whatever is received. What hangs off an Exit may never fire (X27),
// and what hangs off a kernel that waits may come after anything; a trigger that waited for it would keep back what
// would otherwise run.
std::vector<bool> CertainNodes(const StepGraph& graph, const FrameMap& frames, const MayWait& may_wait) {
  std::vector<bool> certain(graph.nodes.size());
  for (const NodeId id : TopologicalOrder(graph)) {
    const StepNode& node = graph[id];
    const bool is_received = node.op != nullptr && node.op->op->kind == OpKind::kRecv;  // it may never be sent
    bool is_certain = !is_received && frames.of_node[Index(id)] == 0 && frames.of_output[Index(id)] == 0 &&
                      node.kind != NodeKind::kMerge && node.kind != NodeKind::kExit &&
                      node.kind != NodeKind::kNextIteration && !(node.kind == NodeKind::kKernel && may_wait(node));
    for (const Endpoint& input : node.inputs) is_certain = is_certain && certain[Index(input.node)];
    for (const NodeId control : node.controls) is_certain = is_certain && certain[Index(control)];
    certain[Index(id)] = is_certain;
  }
  return certain;
}

class ReceiveScheduler {
 public:
  ReceiveScheduler(StepGraph& graph, const MayWait& may_wait)
      : graph_(graph),
        size_(graph.size()),
        starts_(ComputeLatestStarts(graph)),
        certain_(CertainNodes(graph, AnalyzeFrames(graph), may_wait)) {}

  void Run() {
    for (int i = 0; i < size_; ++i) {
      if (graph_.nodes[i].kind != NodeKind::kRecv || !certain_[i]) continue;
      const int epoch = EpochOf(i) - kAhead;
      if (epoch < 0) continue;
      const NodeId trigger = TriggerOf(graph_.nodes[i].device, epoch);
      graph_.nodes[i].controls.push_back(trigger);
    }
  }

 private:
  int EpochOf(int node) const {
    if (starts_.makespan <= 0) return 0;
    return std::clamp(static_cast<int>(starts_.start[node] / starts_.makespan * kEpochs), 0, kEpochs - 1);
  }

  // Fires when the device's nodes of this epoch and of all before it have run. A node of an earlier epoch never depends
  // on a Recv of a later one, because latest starts grow along edges.
  NodeId TriggerOf(int device, int epoch) {
    const auto [at, is_new] = triggers_.emplace(std::pair(device, epoch), NodeId::kNone);
    if (!is_new) return at->second;
    StepNode trigger;
    trigger.kind = NodeKind::kControlTrigger;
    trigger.name = Str("_receive_trigger_", device, "_", epoch);
    trigger.device = device;
    for (int i = 0; i < size_; ++i) {
      const StepNode& node = graph_.nodes[i];
      const bool counts = node.kind == NodeKind::kKernel && node.device == device && certain_[i];
      if (counts && EpochOf(i) <= epoch) trigger.controls.push_back(NodeId(i));
    }
    return at->second = graph_.Add(std::move(trigger));
  }

  StepGraph& graph_;
  const int size_;  // before any trigger was added
  const LatestStarts starts_;
  const std::vector<bool> certain_;
  std::map<std::pair<int, int>, NodeId> triggers_;
};

}  // namespace

LatestStarts ComputeLatestStarts(const StepGraph& graph) {
  const auto order = TopologicalOrder(graph);
  const auto edges = OutEdges(graph);
  const auto cost = [&](NodeId id) {
    return graph[id].kind == NodeKind::kRecv ? kTransferCost : EstimatedCost(graph[id]);
  };
  const auto is_back_edge = [&](NodeId from, NodeId to) {
    return graph[from].kind == NodeKind::kNextIteration && graph[to].kind == NodeKind::kMerge;
  };
  // The longest way from a node's start to the end of the step.
  std::vector<double> rest(graph.nodes.size(), 0);
  LatestStarts latest;
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    for (const StepEdge& edge : edges[Index(*id)]) {
      if (!is_back_edge(*id, edge.consumer)) rest[Index(*id)] = std::max(rest[Index(*id)], rest[Index(edge.consumer)]);
    }
    rest[Index(*id)] += cost(*id);
    latest.makespan = std::max(latest.makespan, rest[Index(*id)]);
  }
  for (const double way : rest) latest.start.push_back(latest.makespan - way);
  return latest;
}

void ScheduleReceives(StepGraph& graph, const MayWait& may_wait) {
  const bool has_receives =
      std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& n) { return n.kind == NodeKind::kRecv; });
  if (has_receives) ReceiveScheduler(graph, may_wait).Run();
}

}  // namespace plumb::fast
