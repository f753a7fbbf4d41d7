#include "fastpath/compile/placement/resource_devices.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/compile/graph/frames.h"
#include "fastpath/compile/placement/aliases.h"
#include "fastpath/compile/placement/colocation.h"
#include "fastpath/compile/plan/plan_memory.h"
#include "spec/core/device_name.h"
#include "spec/graph/function_calls.h"
#include "spec/graph/function_library.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

// Calls are left out: what they hand on is placed with their bodies.
bool IsPlacedHere(const Node& node) { return !IsCall(node.op->kind) && HandlesResources(node); }

bool IsMaker(const Node& node) {
  return IsPlacedHere(node) && std::none_of(node.input_types.begin(), node.input_types.end(), LeadsToResource);
}

// A container, and a name in it (R2, R3).
using ResourceId = std::pair<std::string, std::string>;

// What a node of this name makes. Nothing where an attribute stands for something else, as it may in a function.
std::optional<ResourceId> MadeBy(const std::string& node, const AttrMap& attrs) {
  ResourceId id;
  for (const auto& [attr, part] : {std::pair("container", &id.first), std::pair("shared_name", &id.second)}) {
    const auto found = attrs.find(attr);
    if (found == attrs.end()) continue;
    const auto* const text = found->second.Get<std::string>();
    if (text == nullptr) return std::nullopt;
    *part = *text;
  }
  if (id.first.empty()) id.first = "localhost";
  if (id.second.empty()) id.second = node;
  return id;
}

// The same question as IsMaker, of a node in a function.
bool IsMaker(const NodeDef& node) {
  const OpDef* const op = FindOp(node.op);
  const auto leads = [](const ArgDef& arg) { return arg.is_ref || arg.type == DType::kResource; };
  return op != nullptr && std::any_of(op->outputs.begin(), op->outputs.end(), leads) &&
         std::none_of(op->inputs.begin(), op->inputs.end(), leads);
}

// The host's first device that is described by the request, or null.
const Device* HostFor(const DeviceName& request, const DeviceSet& devices) {
  for (int i = 0; i < devices.size(); ++i) {
    if (devices[i].memory() == nullptr && request.Describes(devices[i].parts())) return &devices[i];
  }
  return nullptr;
}

// As far as groups are concerned.
StepGraph WholeOf(const Graph& graph, const DeviceSet& devices) {
  StepGraph whole;
  whole.device_names = devices.Names();
  for (const Node& node : graph.nodes()) {
    StepNode step;
    step.kind = KindOf(*node.op);
    step.name = node.name;
    step.op = &node;
    step.inputs = node.inputs;
    step.controls = node.control_inputs;
    step.input_types = node.input_types;
    step.output_types = node.output_types;
    whole.nodes.push_back(std::move(step));
  }
  return whole;
}

const Device& HostOfGroup(DeviceName request, const Node& node, const DeviceSet& devices, bool soft) {
  const Device* host = HostFor(request, devices);
  if (host == nullptr && soft) {
    request.type.reset();
    request.id.reset();
    host = HostFor(request, devices);
  }
  Require(host != nullptr, "Cannot assign a device for node '", node.name, "': ", request.ToString(),
          " was asked for, which holds no variables and no other resources");
  return *host;
}

// Chooses, for each group of nodes that must be where a resource is, the device that runs them and holds its values.
class HolderChoice {
 public:
  // `before`: as for PlaceResources.
  HolderChoice(const Graph& graph, const Graph* before, const DeviceSet& devices, bool soft)
      : graph_(graph),
        devices_(devices),
        whole_(WholeOf(graph, devices)),
        groups_(whole_, soft),
        holder_(whole_.nodes.size()) {
    if (devices.num_plans() == 1) return;
    ChooseAccelerators();
    if (before != nullptr) Keep(*before);
    FindCalls();
    FindNamesInFunctions();
    may_alias_ = FindAliases(whole_);
    FindReadersElsewhere();
    FindFrames();
    while (SettleEqualNames() || SettleKeptAliases() || SettleMetAliases()) continue;
  }

  bool MayAlias(NodeId id) const { return !may_alias_.empty() && may_alias_[Index(id)]; }
  const DeviceName& request(NodeId id) const { return groups_.request(GroupOf(id)); }

  // Null: the host's.
  const Device* AcceleratorFor(NodeId id) const { return holder_[GroupOf(id)]; }

 private:
  int GroupOf(NodeId id) const { return groups_.Find(static_cast<int>(Index(id))); }

  // Unless somebody asked for an accelerator; what was placed before names the host that knows it. Whether anything
  // changed.
  bool MoveToHost(int group) {
    const bool may_move = !groups_.request(group).type || kept_.contains(group);
    return may_move && std::exchange(holder_[group], nullptr) != nullptr;
  }

  void ChooseAccelerators() {
    for (const Node& node : graph_.nodes()) {
      if (IsPlacedHere(node)) members_[GroupOf(node.id)];
    }
    for (const Node& node : graph_.nodes()) {
      const auto group = members_.find(GroupOf(node.id));
      if (group != members_.end()) group->second.push_back(&node);
    }
    for (const auto& [group, nodes] : members_) holder_[group] = BestAccelerator(groups_.request(group), nodes);
  }

  static bool HasKernels(const Device& device, const std::vector<const Node*>& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [&](const Node* node) { return device.HasKernel(*node); });
  }

  // W14: of those that the request describes and that can take all nodes the first of the best type, or null.
  const Device* BestAccelerator(const DeviceName& request, const std::vector<const Node*>& nodes) const {
    const Device* best = nullptr;
    for (int i = 0; i < devices_.size(); ++i) {
      const Device& device = devices_[i];
      const bool is_candidate = device.memory() != nullptr && request.Describes(device.parts());
      if (!is_candidate || (best != nullptr && device.priority() <= best->priority())) continue;
      if (HasKernels(device, nodes)) best = &device;
    }
    return best;
  }

  // A body that is called may want to be on the host with what it is handed.
  void FindCalls() {
    for (const Node& node : graph_.nodes()) {
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        if (!LeadsToResource(node.input_types[k])) continue;
        const NodeId producer = node.inputs[k].node;
        if (IsCall(node.op->kind)) holder_[GroupOf(producer)] = nullptr;
        if (IsCall(graph_.node(producer).op->kind)) holder_[GroupOf(node.id)] = nullptr;
      }
    }
  }

  // R3: what a body makes lies on the host, and with it what has the same name here. What says no name is known by the
  // call, and so by nobody else.
  void FindNamesInFunctions() {
    if (graph_.functions() == nullptr) return;
    std::set<std::optional<ResourceId>> made;
    for (const auto& [name, function] : graph_.functions()->definitions()) {
      for (const NodeDef& node : function.nodes) {
        const auto id = MadeBy("", node.attrs);
        if (IsMaker(node) && !(id && id->second.empty())) made.insert(id);
      }
    }
    for (const Node& node : graph_.nodes()) {
      const bool is_named =
          IsMaker(node) && (made.contains(std::nullopt) || made.contains(MadeBy(node.name, node.attrs)));
      if (is_named) holder_[GroupOf(node.id)] = nullptr;
    }
  }

  // A reader on a device that it asks for gets copies of aliases or the aliases themselves, whichever a session without
  // accelerators would give it (rules R31, R36).
  void FindReadersElsewhere() {
    for (const Node& node : graph_.nodes()) {
      if (node.device.empty() || IsPlacedHere(node)) continue;
      for (const Endpoint& input : node.inputs) {
        const int group = GroupOf(input.node);
        const bool is_elsewhere = may_alias_[Index(input.node)] && group != GroupOf(node.id);
        if (is_elsewhere) MoveToHost(group);
      }
    }
  }

  // A frame that cannot be spread stays where its executor is. What is wrong with frames is said to whoever runs them
  // (rules X11, X12).
  void FindFrames() {
    try {
      const FrameMap frames = AnalyzeFrames(whole_);
      const bool has_root_loop = HasRootLoop(whole_, frames);
      for (int i = 0; i < whole_.size(); ++i) {
        if (has_root_loop || !MaySpreadOverDevices(frames, frames.of_node[i])) holder_[groups_.Find(i)] = nullptr;
      }
    } catch (const Error&) {
      holder_.assign(holder_.size(), nullptr);
    }
  }

  // R3: several nodes may make one resource. If they would lie on several devices, all lie on the host. Whether
  // anything changed.
  bool SettleEqualNames() {
    std::map<std::optional<ResourceId>, std::set<int>> groups_of_name;
    for (const Node& node : graph_.nodes()) {
      if (IsMaker(node)) groups_of_name[MadeBy(node.name, node.attrs)].insert(GroupOf(node.id));
    }
    bool changed = false;
    for (const auto& [name, groups] : groups_of_name) {
      const Device* const first = holder_[*groups.begin()];
      const auto is_same = [&, first](int group) { return holder_[group] == first; };
      if (std::all_of(groups.begin(), groups.end(), is_same)) continue;
      changed = true;
      for (const int group : groups) holder_[group] = nullptr;
    }
    return changed;
  }

  // R41: what is kept on the host shows the buffer only if that is there as well.
  bool SettleKeptAliases() {
    bool changed = false;
    for (const Node& node : graph_.nodes()) {
      if (!IsPlacedHere(node) || holder_[GroupOf(node.id)] != nullptr) continue;
      for (const Endpoint& input : node.inputs) {
        if (may_alias_[Index(input.node)]) changed |= MoveToHost(GroupOf(input.node));
      }
    }
    return changed;
  }

  // R36: what hands on aliases of several variables, as a Merge does, shows those that lie where it does. Whether
  // anything changed.
  bool SettleMetAliases() {
    bool changed = false;
    for (const Node& node : graph_.nodes()) {
      if (!may_alias_[Index(node.id)] || !node.device.empty()) continue;
      for (const Endpoint& input : node.inputs) {
        const int here = GroupOf(node.id), there = GroupOf(input.node);
        if (!may_alias_[Index(input.node)] || holder_[here] == holder_[there]) continue;
        for (const int group : {here, there}) changed |= MoveToHost(group);
      }
    }
    return changed;
  }

  // W10: the groups of nodes that have been placed stay where these are, unless what is new would see that.
  void Keep(const Graph& before) {
    std::map<int, const Device*> kept;
    for (const Node& node : before.nodes()) {
      const auto known = IsPlacedHere(node) ? graph_.Find(node.name) : std::nullopt;
      if (!known) continue;
      const auto holder = GetAttrOr<std::string>(node.attrs, kHolder, "");
      const Device*& device = kept[GroupOf(*known)];
      for (int i = 0; i < devices_.size(); ++i) {
        if (devices_[i].name() == holder) device = &devices_[i];
      }
    }
    for (const auto& [group, device] : kept) {
      holder_[group] = device != nullptr && HasKernels(*device, members_[group]) ? device : nullptr;
      if (device != nullptr) kept_.insert(group);
    }
  }

  const Graph& graph_;
  const DeviceSet& devices_;
  const StepGraph whole_;
  const ColocationGroups groups_;
  std::vector<bool> may_alias_;                      // by node; empty where there is no accelerator
  std::vector<const Device*> holder_;                // by group; null: the host's
  std::map<int, std::vector<const Node*>> members_;  // of the groups that have a resource
  std::set<int> kept_;                               // groups that an accelerator held before
};

class BodyPlacer {
 public:
  BodyPlacer(StepGraph& graph, const DeviceSet& devices) : graph_(graph), devices_(devices) {}

  void Run() {
    for (StepNode& node : graph_.nodes) {
      if (!IsOfBody(node) || !IsPlacedHere(*node.op)) continue;
      auto placed = std::make_shared<Node>(*node.op);
      placed->device = DeviceOf(node);
      node.op = placed.get();
      graph_.made.push_back(std::move(placed));
    }
  }

 private:
  bool IsOfBody(const StepNode& node) const {
    const std::span<const Node> own = graph_.source->nodes();
    const bool is_own =
        !own.empty() && !std::less<>()(node.op, own.data()) && std::less<>()(node.op, own.data() + own.size());
    return node.op != nullptr && node.kernel == nullptr && !is_own;
  }

  // Of whatever the first reference or handle among the inputs comes from; empty if that is fed.
  std::string DeviceOf(const StepNode& user) const {
    const StepNode* node = &user;
    for (int steps = 0; steps <= graph_.size(); ++steps) {
      if (node->op != nullptr && !IsOfBody(*node)) return node->op->device;
      const auto shared = std::find_if(node->input_types.begin(), node->input_types.end(), LeadsToResource);
      if (shared == node->input_types.end()) break;
      node = &graph_[node->inputs[shared - node->input_types.begin()].node];
    }
    if (node->op == nullptr) return "";
    const Device* const host = HostFor(DeviceName::Parse(node->op->device), devices_);
    return host == nullptr ? devices_[0].name() : host->name();
  }

  StepGraph& graph_;
  const DeviceSet& devices_;
};

}  // namespace

void PlaceResources(Graph& graph, const Graph* before, const DeviceSet& devices, bool soft) {
  std::vector<NodeId> nodes;
  for (const Node& node : graph.nodes()) {
    if (IsPlacedHere(node)) nodes.push_back(node.id);
  }
  if (nodes.empty()) return;
  for (const NodeId id : nodes) {
    const auto known = before == nullptr ? std::nullopt : before->Find(graph.node(id).name);
    if (known) graph.Edit(id).device = before->node(*known).device;
  }
  const HolderChoice choice(graph, before, devices, soft);
  std::vector<std::pair<std::string, const Device*>> chosen;
  for (const NodeId id : nodes) {
    chosen.emplace_back(HostOfGroup(choice.request(id), graph.node(id), devices, soft).name(),
                        choice.AcceleratorFor(id));
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    Node& node = graph.Edit(nodes[i]);
    node.device = chosen[i].first;
    if (chosen[i].second != nullptr) node.attrs[kHolder] = chosen[i].second->name();
    if (choice.MayAlias(nodes[i]) && IsMaker(node)) node.attrs[kHoldsAliases] = true;
  }
}

void PlaceResourcesOfBodies(StepGraph& graph, const DeviceSet& devices) { BodyPlacer(graph, devices).Run(); }

}  // namespace plumb::fast
