#include "fastpath/compile/place.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "fastpath/compile/cost_model.h"
#include "fastpath/compile/frames.h"
#include "spec/core/device_name.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

// Sets of nodes that must share a device, with what they ask for together.
class ColocationGroups {
 public:
  ColocationGroups(const StepGraph& graph, bool soft) : graph_(graph), soft_(soft), parent_(graph.nodes.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    request_.resize(graph.nodes.size());
    for (size_t i = 0; i < parent_.size(); ++i) {
      if (graph.nodes[i].op != nullptr) request_[i] = DeviceName::Parse(graph.nodes[i].op->device);
    }
    JoinReferences();
    JoinClasses();
  }

  int Find(int node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  const DeviceName& request(int group) const { return request_[group]; }

 private:
  // W11 (a): a reference and whoever takes it as one. W12: the producer's request wins.
  void JoinReferences() {
    for (int i = 0; i < graph_.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        if (!IsRef(node.input_types[k]) && node.input_types[k] != DType::kResource) continue;
        const int producer = Find(static_cast<int>(Index(node.inputs[k].node))), consumer = Find(i);
        if (producer == consumer) continue;
        try {
          request_[producer] = request_[producer].MergeWith(request_[consumer], soft_);
        } catch (const Error&) {
          // W12: it stays as the producer asks.
        }
        parent_[consumer] = producer;
      }
    }
  }

  // W11 (b): all nodes that name "loc:@X", and X itself unless it names another.
  void JoinClasses() {
    std::map<std::string, int> first;  // by label
    std::map<std::string, int> named;
    for (int i = 0; i < graph_.size(); ++i) named[graph_.nodes[i].name] = i;
    for (int i = 0; i < graph_.size(); ++i) {
      for (const std::string& label : ClassesOf(graph_.nodes[i])) {
        const auto [at, is_new] = first.emplace(label, i);
        if (!is_new) JoinOrThrow(at->second, i);
        const auto target = named.find(label);
        if (target != named.end() && ClassesOf(graph_.nodes[target->second]).empty()) JoinOrThrow(target->second, i);
      }
    }
  }

  static std::vector<std::string> ClassesOf(const StepNode& node) {
    std::vector<std::string> labels;
    if (node.op == nullptr) return labels;
    const auto found = node.op->attrs.find("_class");
    const auto* classes = found == node.op->attrs.end() ? nullptr : found->second.Get<std::vector<std::string>>();
    if (classes == nullptr) return labels;
    for (const std::string& text : *classes) {
      if (text.starts_with("loc:@")) labels.push_back(text.substr(5));
    }
    return labels;
  }

  void JoinOrThrow(int a, int b) {
    a = Find(a), b = Find(b);
    if (a == b) return;
    try {
      request_[a] = request_[a].MergeWith(request_[b], soft_);
    } catch (const Error& error) {
      if (soft_) return;  // W12: this colocation is ignored
      throw InvalidArgument("Cannot colocate nodes '", graph_.nodes[a].name, "' and '", graph_.nodes[b].name,
                            "': ", error.what());
    }
    parent_[b] = a;
  }

  const StepGraph& graph_;
  const bool soft_;
  std::vector<int> parent_;
  std::vector<DeviceName> request_;  // of a group, at its representative
};

class Placer {
 public:
  Placer(StepGraph& graph, bool soft)
      : graph_(graph), soft_(soft), frames_(AnalyzeFrames(graph)), groups_(graph, soft) {
    for (const std::string& name : graph.device_names) devices_.push_back(DeviceName::Parse(name));
  }

  void Run() {
    FindFeasible();
    ChooseDevices();
    FollowData();
  }

 private:
  // W13, W15: the devices that match the request.
  void FindFeasible() {
    feasible_.resize(graph_.nodes.size());
    stays_first_.resize(graph_.nodes.size());
    for (int i = 0; i < graph_.size(); ++i) {
      const int group = groups_.Find(i);
      if (graph_.nodes[i].IsStateful() || !MaySpreadOverDevices(frames_, frames_.of_node[i]))
        stays_first_[group] = true;
      if (feasible_[group].empty()) feasible_[group] = Matching(groups_.request(group), graph_.nodes[i]);
    }
  }

  std::vector<int> Matching(DeviceName request, const StepNode& node) const {
    std::vector<int> matching = Described(request);
    if (matching.empty() && soft_) {
      request.type.reset();
      request.id.reset();
      matching = Described(request);
    }
    Require(!matching.empty(), "Cannot assign a device for node '", node.name, "': it was explicitly assigned to ",
            request.ToString(), ", but the devices are ", graph_.device_names.front(), " … ",
            graph_.device_names.back());
    return matching;
  }

  std::vector<int> Described(const DeviceName& request) const {
    std::vector<int> matching;
    for (size_t i = 0; i < devices_.size(); ++i) {
      if (request.Describes(devices_[i])) matching.push_back(static_cast<int>(i));
    }
    return matching;
  }

  // A greedy schedule by estimated costs: each group goes, when its first node comes up, where that node would finish
  // first. State goes to the first device that may hold it, so that all plans agree (rules W10, W14), and so does a
  // frame that may not be spread (rule W26).
  void ChooseDevices() {
    std::vector<int> device_of_group(graph_.nodes.size(), -1);
    std::vector<double> free_at(devices_.size(), 0), finished(graph_.nodes.size(), 0);
    for (const NodeId id : TopologicalOrder(graph_)) {
      StepNode& node = graph_[id];
      const int group = groups_.Find(static_cast<int>(Index(id)));
      int& device = device_of_group[group];
      if (device < 0) {
        device = feasible_[group].front();
        for (const int candidate : feasible_[group]) {
          if (stays_first_[group]) break;
          if (FinishOn(candidate, node, free_at, finished) < FinishOn(device, node, free_at, finished)) {
            device = candidate;
          }
        }
      }
      node.device = device;
      finished[Index(id)] = FinishOn(device, node, free_at, finished);
      free_at[device] = finished[Index(id)];
    }
  }

  double FinishOn(int device, const StepNode& node, const std::vector<double>& free_at,
                  const std::vector<double>& finished) const {
    double start = node.inputs.empty() && node.controls.empty() ? 0 : free_at[device];
    for (const Endpoint& input : node.inputs) {
      const double transfer = graph_[input.node].device == device ? 0 : kTransferCost;
      start = std::max(start, finished[Index(input.node)] + transfer);
    }
    return start + EstimatedCost(node);
  }

  // W20: a Switch and an Exit go where their data is, an Enter and a NextIteration where theirs is wanted; so no token
  // of a loop's own machinery crosses devices.
  void FollowData() {
    for (const NodeId id : TopologicalOrder(graph_)) {
      StepNode& node = graph_[id];
      const bool follows = node.kind == NodeKind::kSwitch || node.kind == NodeKind::kExit;
      if (follows && !IsRef(node.input_types[0])) node.device = graph_[node.inputs[0].node].device;
    }
    std::vector<bool> is_settled(graph_.nodes.size());
    for (int i = 0; i < graph_.size(); ++i) {
      StepNode& merge = graph_.nodes[i];
      if (merge.kind != NodeKind::kMerge || IsRef(merge.input_types[0])) continue;
      // A producer that two Merges share draws the second one to the first one's device.
      for (const Endpoint& input : merge.inputs) {
        if (IsLoopEdge(input.node) && is_settled[Index(input.node)]) merge.device = graph_[input.node].device;
      }
      for (const Endpoint& input : merge.inputs) {
        if (!IsLoopEdge(input.node)) continue;
        graph_[input.node].device = merge.device;
        is_settled[Index(input.node)] = true;
      }
    }
    FollowFirstConsumers(is_settled);
  }

  // The Enters of invariants, from the inner frames to the outer.
  void FollowFirstConsumers(const std::vector<bool>& is_settled) {
    const auto edges = OutEdges(graph_);
    const auto order = TopologicalOrder(graph_);
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      StepNode& node = graph_[*id];
      if (node.kind != NodeKind::kEnter || IsRef(node.input_types[0]) || is_settled[Index(*id)]) continue;
      const auto& out = edges[Index(*id)];
      const auto first = std::find_if(out.begin(), out.end(), [](const StepEdge& edge) { return edge.input >= 0; });
      if (first != out.end()) node.device = graph_[first->consumer].device;
    }
  }

  bool IsLoopEdge(NodeId producer) const {
    const NodeKind kind = graph_[producer].kind;
    return kind == NodeKind::kEnter || kind == NodeKind::kNextIteration;
  }

  StepGraph& graph_;
  const bool soft_;
  const FrameMap frames_;
  ColocationGroups groups_;
  std::vector<DeviceName> devices_;
  std::vector<std::vector<int>> feasible_;  // by group
  std::vector<bool> stays_first_;           // by group: takes the first feasible device
};

// The node that hands this one a reference or a handle, or null.
const Node* OwnerOf(const Graph& graph, const Node& node) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (IsRef(node.input_types[i]) || node.input_types[i] == DType::kResource) return &graph.node(node.inputs[i].node);
  }
  return nullptr;
}

// W12: whoever is handed a reference or a handle goes where that is, though it asks for another device. Owners that ask
// for none stand for whoever hands it to them.
bool YieldsToItsOwner(const Graph& graph, const Node& node, bool soft) {
  const Node* owner = OwnerOf(graph, node);
  for (int steps = 0; owner != nullptr && owner->device.empty() && steps < graph.size(); ++steps) {
    owner = OwnerOf(graph, *owner);
  }
  if (owner == nullptr) return false;
  try {
    DeviceName::Parse(owner->device).MergeWith(DeviceName::Parse(node.device), soft);
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace

void CheckDeviceRequests(const Graph& graph, const std::vector<std::string>& device_names, bool allow_soft_placement) {
  std::vector<DeviceName> devices;
  for (const std::string& name : device_names) devices.push_back(DeviceName::Parse(name));
  for (const Node& node : graph.nodes()) {
    if (node.device.empty() || YieldsToItsOwner(graph, node, allow_soft_placement)) continue;
    DeviceName request = DeviceName::Parse(node.device);
    if (allow_soft_placement) {
      request.type.reset();
      request.id.reset();
    }
    Require(std::any_of(devices.begin(), devices.end(), [&](const DeviceName& d) { return request.Describes(d); }),
            "Cannot assign a device for node '", node.name, "': it was explicitly assigned to ", node.device,
            ", but the devices are ", device_names.front(), " … ", device_names.back());
  }
}

void Place(StepGraph& graph, bool allow_soft_placement) { Placer(graph, allow_soft_placement).Run(); }

std::vector<std::string> CpuDeviceNames(int count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (int i = 0; i < count; ++i) names.push_back(Str("/job:localhost/replica:0/task:0/device:CPU:", i));
  return names;
}

}  // namespace plumb::fast
