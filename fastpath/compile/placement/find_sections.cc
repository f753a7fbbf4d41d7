#include "fastpath/compile/placement/find_sections.h"

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

#include "fastpath/compile/graph/frames.h"
#include "fastpath/compile/placement/aliases.h"
#include "fastpath/compile/placement/memory_kinds.h"
#include "fastpath/device/section.h"
#include "fastpath/device/transfer.h"
#include "fastpath/device/variant_transfer.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

bool IsOf(const StepNode& node, OpKind kind) { return node.op != nullptr && node.op->op->kind == kind; }

// Each Recv waits for its Send besides what the graph says.
std::vector<std::vector<NodeId>> Awaited(const StepGraph& graph, const std::map<NodeId, NodeId>& sends) {
  std::vector<std::vector<NodeId>> awaited(graph.nodes.size());
  for (int i = 0; i < graph.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    awaited[i] = node.controls;
    for (const Endpoint& input : node.inputs) awaited[i].push_back(input.node);
    if (const auto send = sends.find(NodeId(i)); send != sends.end()) awaited[i].push_back(send->second);
  }
  return awaited;
}

// Whether the node changes a variable, as far as its types say it.
bool ChangesVariable(const StepNode& node) {
  const auto& outputs = node.output_types;
  return std::any_of(node.input_types.begin(), node.input_types.end(), LeadsToResource) &&
         (outputs.empty() || std::any_of(outputs.begin(), outputs.end(), IsRef));
}

// Every node after what it waits for; those that wait in a circle, and for one, are left out. Variables are changed as
// late as may be: when nobody holds what they held, they stay where they are (R44).
std::vector<NodeId> OrderOf(const StepGraph& graph, const std::vector<std::vector<NodeId>>& awaited) {
  std::vector<std::vector<int>> waiting_for(awaited.size());
  std::vector<size_t> to_come;
  std::queue<int> ready, ready_to_change;
  const auto add = [&](int i) { (ChangesVariable(graph.nodes[i]) ? ready_to_change : ready).push(i); };
  for (size_t i = 0; i < awaited.size(); ++i) {
    for (const NodeId other : awaited[i]) waiting_for[Index(other)].push_back(static_cast<int>(i));
    to_come.push_back(awaited[i].size());
    if (awaited[i].empty()) add(static_cast<int>(i));
  }
  std::vector<NodeId> order;
  while (!ready.empty() || !ready_to_change.empty()) {
    std::queue<int>& next = ready.empty() ? ready_to_change : ready;
    const int i = next.front();
    next.pop();
    order.push_back(NodeId(i));
    for (const int other : waiting_for[i]) {
      if (--to_come[other] == 0) add(other);
    }
  }
  return order;
}

bool LeadsToVariable(const ArgDef& arg) { return arg.handle == "Variable" || (arg.is_ref && arg.handle.empty()); }

// Whether the node may wait for what other steps, or other nodes without an edge, do. Of those with effects, variables
// and random numbers make nobody wait.
bool MayWait(const OpDef& op) {
  if (!op.is_stateful || op.accuracy.kind == AccuracyClass::kStatistical) return false;
  return std::none_of(op.inputs.begin(), op.inputs.end(), LeadsToVariable) &&
         std::none_of(op.outputs.begin(), op.outputs.end(), LeadsToVariable);
}

// Whether the node fires live wherever all that it waits for does, and then soon.
bool FiresForSure(const StepNode& node) {
  switch (node.kind) {
    case NodeKind::kNoOp:
    case NodeKind::kControlTrigger:
    case NodeKind::kConstant:
    case NodeKind::kIdentity:
    case NodeKind::kSend:
    case NodeKind::kRecv:
    case NodeKind::kFeed:
    case NodeKind::kFetch:
      return true;
    case NodeKind::kKernel:
      if (node.kernel != nullptr || node.op == nullptr) return false;
      return IsOf(node, OpKind::kSend) || IsOf(node, OpKind::kRecv) ||
             (IsOf(node, OpKind::kKernel) && !MayWait(*node.op->op));
    default:
      return false;
  }
}

class SectionFinder {
 public:
  SectionFinder(const StepGraph& graph, const DeviceSet& devices)
      : graph_(graph),
        devices_(devices),
        memory_(graph, devices),
        sends_(SendsByRecvs(graph)),
        awaited_(Awaited(graph, sends_)),
        order_(OrderOf(graph, awaited_)),
        edges_(OutEdges(graph)),
        may_alias_(FindAliases(graph)) {}

  Sections Run() {
    FindTaken();
    do {
      FindStages();
    } while (LeaveOutWhatMayChange());
    std::map<std::pair<int, int>, size_t> numbers;  // by device and stage
    Sections sections;
    for (const NodeId id : order_) {
      if (!is_taken_[Index(id)]) continue;
      const auto place = std::pair(graph_[id].device, stages_[Index(id)]);
      const auto [at, is_new] = numbers.emplace(place, sections.size());
      if (is_new) sections.emplace_back();
      sections[at->second].push_back(id);
    }
    return sections;
  }

 private:
  bool IsTaken(NodeId id) const {
    const StepNode& node = graph_[id];
    const auto* const takes = dynamic_cast<const TakesSections*>(&devices_[node.device]);
    if (takes == nullptr || HandlesVariants(node.input_types, node.output_types)) return false;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (IsRef(node.input_types[k]) && !IsRef(graph_.TypeOf(node.inputs[k]))) return false;  // T4
    }
    if (node.kind == NodeKind::kNoOp) return true;
    if (node.kind == NodeKind::kIdentity) return is_known_[Index(id)] || !memory_.LiesOnHost({id, 0});
    if (node.kind != NodeKind::kKernel) return false;
    if (IsOf(node, OpKind::kSend)) return brings_[Index(id)] && is_known_[Index(node.inputs[0].node)];
    if (IsOf(node, OpKind::kRecv)) return brings_[Index(id)] && is_taken_[Index(sends_.at(id))];
    return is_known_[Index(id)] || (IsOf(node, OpKind::kKernel) && takes->TakesInSection(*node.op));
  }

  // Whether all that the node gives lies on the host and follows from shapes and constants.
  bool IsKnown(NodeId id) const {
    const StepNode& node = graph_[id];
    if (node.kind == NodeKind::kConstant) return node.controls.empty();
    const auto* const takes = dynamic_cast<const TakesSections*>(&devices_[node.device]);
    const bool computes = node.kind == NodeKind::kKernel && IsOf(node, OpKind::kKernel);
    if (takes == nullptr || (computes ? !takes->KnowsInSection(*node.op) : node.kind != NodeKind::kIdentity)) {
      return false;
    }
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const bool is_shape_alone = computes && !memory_.LiesOnHost(node.inputs[k]);
      if (!is_shape_alone && !is_known_[Index(node.inputs[k].node)]) return false;
    }
    return memory_.LiesOnHost({id, 0});
  }

  // The Sends and Recvs that move a value from the host's memory to that of one and the same device.
  void FindBrings() {
    brings_.resize(graph_.nodes.size());
    for (const auto& [recv, send] : sends_) {
      const bool stays = graph_[recv].device == graph_[send].device;
      const bool to_host = GetAttrOr<bool>(graph_[recv].op->attrs, kReceivesOnHost, false);
      brings_[Index(recv)] = brings_[Index(send)] = stays && !to_host;
    }
  }

  void FindTaken() {
    const FrameMap frames = AnalyzeFrames(graph_);
    std::vector<bool> fires(graph_.nodes.size());
    FindBrings();
    is_taken_.resize(graph_.nodes.size());
    is_known_.resize(graph_.nodes.size());
    for (const NodeId id : order_) {
      const size_t i = Index(id);
      const StepNode& node = graph_[id];
      fires[i] = FiresForSure(node) && frames.of_node[i] == 0 && frames.of_output[i] == 0 &&
                 std::all_of(awaited_[i].begin(), awaited_[i].end(), [&](NodeId other) { return fires[Index(other)]; });
      if (IsOf(node, OpKind::kRecv) && awaited_[i].empty()) fires[i] = false;  // from elsewhere
      is_known_[i] = IsKnown(id);
      is_taken_[i] = fires[i] && IsTaken(id);
    }
  }

  // Grows on each way into a section, so that no way leads from a section out and in again.
  void FindStages() {
    stages_.assign(graph_.nodes.size(), 0);
    for (const NodeId id : order_) {
      int& stage = stages_[Index(id)];
      for (const NodeId other : awaited_[Index(id)]) {
        const bool enters = is_taken_[Index(id)] && !AreTogether(other, id);
        stage = std::max(stage, stages_[Index(other)] + (enters ? 1 : 0));
      }
    }
  }
  bool AreTogether(NodeId a, NodeId b) const { return is_taken_[Index(a)] && graph_[a].device == graph_[b].device; }

  // A variable, or what may be its value, does not leave a section: whoever passes one on to others is in none. Whether
  // there was any.
  bool LeaveOutWhatMayChange() {
    bool has_changed = false;
    for (const NodeId id : order_) {
      if (!is_taken_[Index(id)] || !MayPassVariableOn(id)) continue;
      for (const StepEdge& edge : edges_[Index(id)]) {
        const bool leaves =
            edge.input >= 0 && (!AreTogether(edge.consumer, id) || stages_[Index(edge.consumer)] != stages_[Index(id)]);
        if (!leaves) continue;
        is_taken_[Index(id)] = false;
        has_changed = true;
        break;
      }
    }
    return has_changed;
  }
  bool MayPassVariableOn(NodeId id) const {
    const StepNode& node = graph_[id];
    return may_alias_[Index(id)] || std::any_of(node.input_types.begin(), node.input_types.end(), LeadsToResource);
  }

  const StepGraph& graph_;
  const DeviceSet& devices_;
  const MemoryKinds memory_;
  const std::map<NodeId, NodeId> sends_;
  const std::vector<std::vector<NodeId>> awaited_;
  const std::vector<NodeId> order_;
  const std::vector<std::vector<StepEdge>> edges_;
  const std::vector<bool> may_alias_;
  std::vector<bool> is_known_, brings_, is_taken_;
  std::vector<int> stages_;
};

}  // namespace

std::map<NodeId, NodeId> SendsByRecvs(const StepGraph& graph) {
  const auto channel = [&](int i) { return GetAttrOr<int64_t>(graph.nodes[i].op->attrs, kChannelNumber, -1); };
  std::map<int64_t, NodeId> sends;
  for (int i = 0; i < graph.size(); ++i) {
    if (IsOf(graph.nodes[i], OpKind::kSend)) sends[channel(i)] = NodeId(i);
  }
  std::map<NodeId, NodeId> by_recvs;
  for (int i = 0; i < graph.size(); ++i) {
    if (!IsOf(graph.nodes[i], OpKind::kRecv)) continue;
    if (const auto send = sends.find(channel(i)); send != sends.end()) by_recvs[NodeId(i)] = send->second;
  }
  return by_recvs;
}

Sections FindSections(const StepGraph& graph, const DeviceSet& devices) { return SectionFinder(graph, devices).Run(); }

}  // namespace plumb::fast
