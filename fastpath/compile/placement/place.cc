#include "fastpath/compile/placement/place.h"

#include <algorithm>
#include <optional>

#include "fastpath/compile/graph/cost_model.h"
#include "fastpath/compile/graph/frames.h"
#include "fastpath/compile/placement/colocation.h"
#include "fastpath/compile/plan/plan_memory.h"
#include "fastpath/device/host_values.h"
#include "spec/core/device_name.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

Error NoDeviceFor(const std::string& node, const std::string& request, const DeviceSet& devices, bool is_soft) {
  const std::string& last = devices[devices.size() - 1].name();
  const std::string others =
      devices.size() == 1 ? Str("device is ", last) : Str("devices are ", devices[0].name(), " … ", last);
  return InvalidArgument("Cannot assign a device for node '", node, "': it was explicitly assigned to ", request,
                         ", but the ", others, is_soft ? "" : "; with soft placement it runs elsewhere");
}

class Placer {
 public:
  Placer(StepGraph& graph, const DeviceSet& devices, bool soft, bool prefers_host)
      : graph_(graph),
        devices_(devices),
        soft_(soft),
        prefers_host_(prefers_host),
        frames_(AnalyzeFrames(graph)),
        groups_(graph, soft) {}

  void Run() {
    FindFeasible();
    ChooseDevices();
    FollowConsumers();
    FollowData();
  }

 private:
  // W13, W15: the devices that match the request and have a kernel for every node of the group.
  void FindFeasible() {
    feasible_.resize(graph_.nodes.size());
    stays_first_.resize(graph_.nodes.size());
    stays_on_host_.resize(graph_.nodes.size());
    std::vector<std::vector<NodeId>> members(graph_.nodes.size());
    const bool has_root_loop = HasRootLoop(graph_, frames_);  // rule X6: Recvs of a root iteration have no control loop
    for (int i = 0; i < graph_.size(); ++i) {
      const int group = groups_.Find(i);
      members[group].push_back(NodeId(i));
      const bool may_spread = MaySpreadOverDevices(frames_, frames_.of_node[i]) && !has_root_loop;
      if (graph_.nodes[i].IsStateful() || !may_spread || prefers_host_) stays_first_[group] = true;
      if (!may_spread || prefers_host_) stays_on_host_[group] = true;
    }
    for (size_t group = 0; group < members.size(); ++group) {
      size_.push_back(members[group].size());
      if (!members[group].empty())
        feasible_[group] = Feasible(groups_.request(static_cast<int>(group)), members[group]);
    }
  }

  std::vector<int> Feasible(DeviceName request, const std::vector<NodeId>& members) const {
    std::vector<int> feasible = WithKernels(Described(request), members);
    if (!feasible.empty()) return feasible;
    // Values that an accelerator holds are brought to the host for those that only run there.
    const auto held = std::find_if(members.begin(), members.end(), [&](NodeId member) {
      return graph_[member].op != nullptr && graph_[member].op->attrs.contains(kHolder);
    });
    if (held != members.end()) request = DeviceName::Parse(graph_[*held].op->device);
    feasible = WithKernels(Described(request), members);
    if (!feasible.empty()) return feasible;
    if (soft_) {
      request.type.reset();
      request.id.reset();
      feasible = WithKernels(Described(request), members);
      if (!feasible.empty()) return feasible;
    }
    // A kernel that nobody has is missed when the plan is made (rule A7).
    std::vector<int> matching = Described(request);
    const StepNode& node = graph_[members.front()];
    if (matching.empty()) throw NoDeviceFor(node.name, request.ToString(), devices_, soft_);
    for (const NodeId member : members) {
      Require(WithKernels(Described(DeviceName()), {member}).empty() || !WithKernels(matching, {member}).empty(),
              "Cannot assign a device for node '", graph_[member].name, "': ", request.ToString(),
              " was asked for, which has no kernel for it");
    }
    // On the host, whose factories say what is missing.
    const auto hosts = std::stable_partition(matching.begin(), matching.end(),
                                             [&](int device) { return devices_[device].memory() == nullptr; });
    if (hosts != matching.begin()) matching.erase(hosts, matching.end());
    return matching;
  }

  std::vector<int> Described(const DeviceName& request) const {
    std::vector<int> matching;
    for (int i = 0; i < devices_.size(); ++i) {
      if (request.Describes(devices_[i].parts())) matching.push_back(i);
    }
    return matching;
  }

  std::vector<int> WithKernels(const std::vector<int>& candidates, const std::vector<NodeId>& members) const {
    std::vector<int> feasible;
    for (const int candidate : candidates) {
      const bool has_all = std::all_of(members.begin(), members.end(), [&](NodeId member) {
        const StepNode& node = graph_[member];
        const bool meets_client = node.kind == NodeKind::kFeed || node.kind == NodeKind::kFetch;
        if (meets_client) return devices_.PlanOf(candidate) == 0;
        if (node.kernel != nullptr) return devices_[candidate].memory() == nullptr;
        return node.op == nullptr || devices_[candidate].HasKernel(*node.op);
      });
      if (has_all) feasible.push_back(candidate);
    }
    return feasible;
  }

  // W14: of those that could take the group, the devices of the best type; the host's for a frame that may not spread.
  std::vector<int> Preferred(int group) const {
    std::vector<int> preferred;
    const auto priority = [&](int device) {
      const int given = devices_[device].priority();
      return stays_on_host_[group] ? -given : given;
    };
    for (const int device : feasible_[group]) {
      if (!preferred.empty() && priority(device) < priority(preferred.front())) continue;
      if (!preferred.empty() && priority(device) > priority(preferred.front())) preferred.clear();
      preferred.push_back(device);
    }
    if (stays_first_[group]) preferred.resize(1);
    // Each plan besides the first one's is one more place that values must be brought to.
    const int plan = devices_.PlanOf(preferred.front());
    const auto is_elsewhere = [&](int device) { return devices_.PlanOf(device) != plan; };
    preferred.erase(std::remove_if(preferred.begin(), preferred.end(), is_elsewhere), preferred.end());
    return preferred;
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
        const std::vector<int> preferred = Preferred(group);
        device = preferred.front();
        for (const int candidate : preferred) {
          if (FinishOn(candidate, node, free_at, finished) < FinishOn(device, node, free_at, finished)) {
            device = candidate;
          }
        }
        if (const auto input = DeviceOfMeasured(node)) device = *input;
        if (const auto beside = DeviceOfHostValues(id, device)) device = *beside;
      }
      node.device = device;
      finished[Index(id)] = FinishOn(device, node, free_at, finished);
      free_at[device] = finished[Index(id)];
    }
  }

  // W14: what only asks for the shape of its input goes where that is.
  std::optional<int> DeviceOfMeasured(const StepNode& node) const {
    if (node.op == nullptr || node.op->op->fold.from_shapes == nullptr || node.inputs.empty()) return std::nullopt;
    const int device = graph_[node.inputs[0].node].device;
    const auto& feasible = feasible_[groups_.Find(static_cast<int>(&node - graph_.nodes.data()))];
    const bool may = std::find(feasible.begin(), feasible.end(), device) != feasible.end();
    return may && devices_.PlanOf(device) != 0 ? std::optional(device) : std::nullopt;
  }

  // W14: what the host does with integers, or hands on, for whichever device goes beside an accelerator that one of
  // them comes from, else to the host. `preferred`: where it would go. Nothing for other nodes, and for those that
  // others have a say in.
  std::optional<int> DeviceOfHostValues(NodeId id, int preferred) const {
    const StepNode& node = graph_[id];
    const int group = groups_.Find(static_cast<int>(Index(id)));
    if (devices_[preferred].memory() == nullptr || node.inputs.empty() || node.op == nullptr) return std::nullopt;
    const bool moves = node.kind == NodeKind::kIdentity && IsOfHostValues(node.input_types[0]);
    const bool computes =
        node.kind == NodeKind::kKernel && ComputesOnHost(*node.op) && devices_[preferred].ReadsOnHost(*node.op, 0);
    if (!(moves || computes) || size_[group] > 1 || stays_on_host_[group]) return std::nullopt;
    const std::vector<int>& feasible = feasible_[group];
    for (const Endpoint& input : node.inputs) {
      const int device = graph_[input.node].device;
      const bool may = std::find(feasible.begin(), feasible.end(), device) != feasible.end();
      const bool is_left_there = graph_[input.node].kind != NodeKind::kConstant && devices_[device].memory() != nullptr;
      if (may && is_left_there) return device;
    }
    const auto host =
        std::find_if(feasible.begin(), feasible.end(), [&](int device) { return devices_.PlanOf(device) == 0; });
    return host == feasible.end() ? std::nullopt : std::optional(*host);
  }

  // W14: a source with one output goes where all its consumers are.
  void FollowConsumers() {
    const auto edges = OutEdges(graph_);
    for (int i = 0; i < graph_.size(); ++i) {
      StepNode& node = graph_.nodes[i];
      if (!node.inputs.empty() || node.output_types.size() != 1 || IsRef(node.output_types[0]) || edges[i].empty()) {
        continue;
      }
      const int device = graph_[edges[i].front().consumer].device;
      const bool is_one = std::all_of(edges[i].begin(), edges[i].end(),
                                      [&](const StepEdge& edge) { return graph_[edge.consumer].device == device; });
      const auto& feasible = feasible_[groups_.Find(i)];
      const bool is_alone = !node.IsStateful() && size_[groups_.Find(i)] == 1;
      if (is_one && is_alone && std::find(feasible.begin(), feasible.end(), device) != feasible.end()) {
        node.device = device;
      }
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
    FollowFetched();
  }

  // F28: a fetch reads again when the step is over, which it can where the variable is.
  void FollowFetched() {
    for (StepNode& node : graph_.nodes) {
      if (node.kind != NodeKind::kFetch) continue;
      const int device = graph_[node.inputs[0].node].device;
      if (devices_.PlanOf(device) == 0) node.device = device;
    }
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
  const DeviceSet& devices_;
  const bool soft_;
  const bool prefers_host_;
  const FrameMap frames_;
  const ColocationGroups groups_;
  std::vector<std::vector<int>> feasible_;  // by group
  std::vector<size_t> size_;                // by group
  std::vector<bool> stays_first_;           // by group: takes the first device of the best type
  std::vector<bool> stays_on_host_;         // by group: in a frame that lies on one device, or because all do
};

// The node that hands this one a reference or a handle, or null.
const Node* OwnerOf(const Graph& graph, const Node& node) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (LeadsToResource(node.input_types[i])) return &graph.node(node.inputs[i].node);
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

void CheckDeviceRequests(const Graph& graph, const DeviceSet& devices, bool allow_soft_placement) {
  for (const Node& node : graph.nodes()) {
    if (node.device.empty() || YieldsToItsOwner(graph, node, allow_soft_placement)) continue;
    DeviceName request = DeviceName::Parse(node.device);
    if (allow_soft_placement) {
      request.type.reset();
      request.id.reset();
    }
    bool is_met = false;
    for (int i = 0; i < devices.size(); ++i) is_met = is_met || request.Describes(devices[i].parts());
    if (!is_met) throw NoDeviceFor(node.name, node.device, devices, allow_soft_placement);
  }
}

void KeepTask(StepGraph& graph, const DeviceSet& devices) {
  for (StepNode& node : graph.nodes) {
    if (node.op == nullptr || node.op->device.empty()) continue;
    DeviceName request = DeviceName::Parse(node.op->device);
    DeviceName task = request;
    task.type.reset();
    task.id.reset();
    bool is_here = false;
    for (int i = 0; i < devices.size(); ++i) is_here = is_here || task.Describes(devices[i].parts());
    if (is_here) continue;
    request.job.reset();
    request.replica.reset();
    request.task.reset();
    auto kept = std::make_shared<Node>(*node.op);
    kept->device = request.ToString();
    node.op = kept.get();
    graph.made.push_back(std::move(kept));
  }
}

void Place(StepGraph& graph, const DeviceSet& devices, bool allow_soft_placement, bool prefers_host) {
  graph.device_names = devices.Names();
  Placer(graph, devices, allow_soft_placement, prefers_host).Run();
}

}  // namespace plumb::fast
