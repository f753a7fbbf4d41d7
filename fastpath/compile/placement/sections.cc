#include "fastpath/compile/placement/sections.h"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "fastpath/compile/graph/frames.h"
#include "fastpath/compile/placement/aliases.h"
#include "fastpath/device/section.h"
#include "fastpath/device/transfer.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

bool IsOf(const StepNode& node, OpKind kind) { return node.op != nullptr && node.op->op->kind == kind; }

// Each Recv waits for its Send besides what the graph says.
std::vector<std::vector<NodeId>> Awaited(const StepGraph& graph) {
  std::map<int64_t, NodeId> sends;
  for (int i = 0; i < graph.size(); ++i) {
    if (IsOf(graph.nodes[i], OpKind::kSend)) {
      sends[GetAttrOr<int64_t>(graph.nodes[i].op->attrs, kChannelNumber, -1)] = NodeId(i);
    }
  }
  std::vector<std::vector<NodeId>> awaited(graph.nodes.size());
  for (int i = 0; i < graph.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    awaited[i] = node.controls;
    for (const Endpoint& input : node.inputs) awaited[i].push_back(input.node);
    if (!IsOf(node, OpKind::kRecv)) continue;
    const auto send = sends.find(GetAttrOr<int64_t>(node.op->attrs, kChannelNumber, -1));
    if (send != sends.end()) awaited[i].push_back(send->second);
  }
  return awaited;
}

// Every node after what it waits for; those that wait in a circle, and for one, are left out.
std::vector<NodeId> OrderOf(const std::vector<std::vector<NodeId>>& awaited) {
  std::vector<std::vector<int>> waiting_for(awaited.size());
  std::vector<size_t> to_come;
  std::queue<int> ready;
  for (size_t i = 0; i < awaited.size(); ++i) {
    for (const NodeId other : awaited[i]) waiting_for[Index(other)].push_back(static_cast<int>(i));
    to_come.push_back(awaited[i].size());
    if (awaited[i].empty()) ready.push(static_cast<int>(i));
  }
  std::vector<NodeId> order;
  while (!ready.empty()) {
    const int i = ready.front();
    ready.pop();
    order.push_back(NodeId(i));
    for (const int other : waiting_for[i]) {
      if (--to_come[other] == 0) ready.push(other);
    }
  }
  return order;
}

bool LeadsToVariable(const ArgDef& arg) { return arg.handle == "Variable" || (arg.is_ref && arg.handle.empty()); }

// Whether the node may wait for what other steps, or other nodes without an edge, do. Of those with effects, variables
// and random numbers make nobody wait.
bool MayWait(const OpDef& op) {
  if (!op.is_stateful || op.FindAttr("seed") != nullptr) return false;
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
        awaited_(Awaited(graph)),
        order_(OrderOf(awaited_)),
        edges_(OutEdges(graph)),
        may_alias_(FindAliases(graph)) {}

  std::vector<int> Run() {
    FindTaken();
    do {
      FindStages();
    } while (LeaveOutWhatMayChange());
    std::map<std::pair<int, int>, int> numbers;  // by device and stage
    std::vector<int> sections(graph_.nodes.size(), -1);
    for (const NodeId id : order_) {
      if (!is_taken_[Index(id)]) continue;
      const auto place = std::pair(graph_[id].device, stages_[Index(id)]);
      sections[Index(id)] = numbers.emplace(place, static_cast<int>(numbers.size())).first->second;
    }
    return sections;
  }

 private:
  bool IsTakenBy(const Device& device, const StepNode& node) const {
    const auto* const takes = dynamic_cast<const TakesSections*>(&device);
    if (takes == nullptr) return false;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (IsRef(node.input_types[k]) && !IsRef(graph_.TypeOf(node.inputs[k]))) return false;  // T4
    }
    if (node.kind == NodeKind::kNoOp || node.kind == NodeKind::kIdentity) return true;
    return node.kind == NodeKind::kKernel && IsOf(node, OpKind::kKernel) && takes->TakesInSection(*node.op);
  }

  void FindTaken() {
    const FrameMap frames = AnalyzeFrames(graph_);
    std::vector<bool> fires(graph_.nodes.size());
    is_taken_.resize(graph_.nodes.size());
    for (const NodeId id : order_) {
      const size_t i = Index(id);
      const StepNode& node = graph_[id];
      fires[i] = FiresForSure(node) && frames.of_node[i] == 0 && frames.of_output[i] == 0 &&
                 std::all_of(awaited_[i].begin(), awaited_[i].end(), [&](NodeId other) { return fires[Index(other)]; });
      if (IsOf(node, OpKind::kRecv) && awaited_[i].empty()) fires[i] = false;  // from elsewhere
      is_taken_[i] = fires[i] && IsTakenBy(devices_[node.device], node);
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
        const bool leaves = edge.input >= 0 && (!AreTogether(edge.consumer, id) ||
                                                stages_[Index(edge.consumer)] != stages_[Index(id)]);
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
  const std::vector<std::vector<NodeId>> awaited_;
  const std::vector<NodeId> order_;
  const std::vector<std::vector<StepEdge>> edges_;
  const std::vector<bool> may_alias_;
  std::vector<bool> is_taken_;
  std::vector<int> stages_;
};

// The node that stands for a section.
class SectionBuilder {
 public:
  using Kernels = std::function<std::shared_ptr<Kernel>(const Node&, Device&)>;

  SectionBuilder(const StepGraph& graph, std::vector<NodeId> members, Device& device, const Kernels& kernels)
      : graph_(graph), members_(std::move(members)), device_(device), kernels_(kernels) {
    for (const NodeId id : members_) is_member_.insert(id);
  }

  // `users`: of each node of the graph.
  StepNode Build(int number, const std::vector<std::vector<StepEdge>>& users) {
    AddInputs();
    int kernels = 0;
    for (const NodeId id : members_) {
      AddPiece(id);
      kernels += section_.pieces.back().kernel != nullptr ? 1 : 0;
    }
    section_.num_values = next_value_;
    AddOutputs(users);
    MarkLastUses();
    made_.name = Str("section ", number, ", ", kernels, " kernels from ", graph_[members_.front()].name, " to ",
                     graph_[members_.back()].name);
    made_.device = graph_[members_.front()].device;
    section_.name = made_.name;
    made_.kernel = dynamic_cast<TakesSections&>(device_).MakeSection(std::move(section_));
    return std::move(made_);
  }
  // Where the section leaves a value of one of its nodes.
  Endpoint OutputOf(Endpoint inner, NodeId node) const { return {node, outputs_.at(inner)}; }

 private:
  void AddInputs() {
    for (const NodeId id : members_) {
      const StepNode& node = graph_[id];
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        const Endpoint from = node.inputs[k];
        if (is_member_.contains(from.node) || values_.contains(from)) continue;
        values_[from] = next_value_++;
        const StepNode& maker = graph_[from.node];
        const bool is_constant = maker.kind == NodeKind::kConstant && maker.controls.empty();
        section_.inputs.push_back({graph_.TypeOf(from), is_constant, node.op == nullptr ? "" : node.op->device});
        made_.inputs.push_back(from);
        made_.input_types.push_back(graph_.TypeOf(from));
      }
      for (const NodeId control : node.controls) {
        if (!is_member_.contains(control) && controls_.insert(control).second) made_.controls.push_back(control);
      }
      made_.is_root = made_.is_root || node.is_root;
    }
  }

  void AddPiece(NodeId id) {
    const StepNode& node = graph_[id];
    Section::Piece piece;
    piece.name = node.name;
    piece.node = node.op;
    if (node.kind == NodeKind::kKernel) piece.kernel = kernels_(*node.op, device_);
    piece.input_types = node.input_types;
    for (const Endpoint& input : node.inputs) piece.inputs.push_back(values_.at(input));
    piece.first_output = next_value_;
    piece.num_outputs = static_cast<int>(node.output_types.size());
    for (int i = 0; i < piece.num_outputs; ++i) values_[{id, i}] = next_value_++;
    section_.pieces.push_back(std::move(piece));
  }

  void AddOutputs(const std::vector<std::vector<StepEdge>>& users) {
    for (const NodeId id : members_) {
      for (const StepEdge& edge : users[Index(id)]) {
        if (edge.input < 0 || is_member_.contains(edge.consumer)) continue;
        const Endpoint inner = {id, edge.output};
        if (!outputs_.emplace(inner, static_cast<int>(outputs_.size())).second) continue;
        section_.outputs.push_back(values_.at(inner));
        made_.output_types.push_back(graph_.TypeOf(inner));
      }
    }
  }

  void MarkLastUses() {
    std::set<int> used_later(section_.outputs.begin(), section_.outputs.end());
    for (auto piece = section_.pieces.rbegin(); piece != section_.pieces.rend(); ++piece) {
      piece->is_last.resize(piece->inputs.size());
      for (size_t i = piece->inputs.size(); i-- > 0;) piece->is_last[i] = used_later.insert(piece->inputs[i]).second;
    }
  }

  const StepGraph& graph_;
  const std::vector<NodeId> members_;
  Device& device_;
  const Kernels& kernels_;
  std::set<NodeId> is_member_, controls_;
  std::map<Endpoint, int> values_, outputs_;
  int next_value_ = 0;
  Section section_;
  StepNode made_;
};

// A section's builder, and the node that it built.
struct Built {
  SectionBuilder builder;
  StepNode node;
};

// Takes the members of sections out of the graph, and has the others use what stands in for them: `stands_in[member]`,
// which will be the node `built[…]` behind those that are there.
void ReplaceMembers(StepGraph& graph, const std::vector<NodeId>& stands_in, std::vector<Built>& built) {
  const size_t first = graph.nodes.size();
  const auto redirect = [&](StepNode& node) {
    for (Endpoint& input : node.inputs) {
      const NodeId other = stands_in[Index(input.node)];
      if (other != NodeId::kNone) input = built[Index(other) - first].builder.OutputOf(input, other);
    }
    std::set<NodeId> controls;
    for (const NodeId control : node.controls) {
      const NodeId other = stands_in[Index(control)];
      controls.insert(other == NodeId::kNone ? control : other);
    }
    node.controls.assign(controls.begin(), controls.end());
  };
  for (Built& section : built) {
    redirect(section.node);
    graph.Add(std::move(section.node));
  }
  std::vector<StepNode> kept;
  std::vector<NodeId> renumbered(graph.nodes.size(), NodeId::kNone);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (i < first && stands_in[i] != NodeId::kNone) continue;
    if (i < first) redirect(graph.nodes[i]);
    renumbered[i] = NodeId(static_cast<int32_t>(kept.size()));
    kept.push_back(std::move(graph.nodes[i]));
  }
  for (StepNode& node : kept) {
    for (Endpoint& input : node.inputs) input.node = renumbered[Index(input.node)];
    for (NodeId& control : node.controls) control = renumbered[Index(control)];
  }
  graph.nodes = std::move(kept);
}

}  // namespace

std::vector<int> FindSections(const StepGraph& graph, const DeviceSet& devices) {
  return SectionFinder(graph, devices).Run();
}

void GatherSections(StepGraph& graph, const DeviceSet& devices, const SectionBuilder::Kernels& kernels) {
  const std::vector<int> sections = FindSections(graph, devices);
  const auto users = OutEdges(graph);
  std::map<int, std::vector<NodeId>> members;
  for (const NodeId id : OrderOf(Awaited(graph))) {
    if (sections[Index(id)] >= 0) members[sections[Index(id)]].push_back(id);
  }
  std::vector<NodeId> stands_in(graph.nodes.size(), NodeId::kNone);
  std::vector<Built> built;
  for (const auto& [number, ids] : members) {
    const auto is_kernel = [&](NodeId id) { return graph[id].kind == NodeKind::kKernel; };
    if (std::count_if(ids.begin(), ids.end(), is_kernel) < 2) continue;
    const auto id = NodeId(static_cast<int32_t>(graph.nodes.size() + built.size()));
    for (const NodeId member : ids) stands_in[Index(member)] = id;
    SectionBuilder builder(graph, ids, devices[graph[ids[0]].device], kernels);
    StepNode node = builder.Build(static_cast<int>(built.size()), users);
    built.push_back({std::move(builder), std::move(node)});
  }
  ReplaceMembers(graph, stands_in, built);
}

}  // namespace plumb::fast
