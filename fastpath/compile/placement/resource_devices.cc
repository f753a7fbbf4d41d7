#include "fastpath/compile/placement/resource_devices.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "fastpath/compile/placement/colocation.h"
#include "spec/core/device_name.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

bool IsShared(DType type) { return IsRef(type) || type == DType::kResource; }

bool HandlesResources(const Node& node) {
  return !IsCall(node.op->kind) && (std::any_of(node.input_types.begin(), node.input_types.end(), IsShared) ||
                                    std::any_of(node.output_types.begin(), node.output_types.end(), IsShared));
}

// The first device that holds resources and is described by the request.
const Device* HostFor(const DeviceName& request, const DeviceSet& devices) {
  for (int i = 0; i < devices.size(); ++i) {
    if (devices[i].memory() == nullptr && request.Describes(devices[i].parts())) return &devices[i];
  }
  return nullptr;
}

const Device& HostOfGroup(DeviceName request, const Node& node, const DeviceSet& devices, bool soft) {
  const Device* host = HostFor(request, devices);
  if (host == nullptr && soft) {
    DeviceName rest = request;
    rest.type.reset();
    rest.id.reset();
    host = HostFor(rest, devices);
  }
  Require(host != nullptr, "Cannot assign a device for node '", node.name, "': ", request.ToString(),
          " was asked for, which holds no variables and no other resources");
  return *host;
}

// As far as groups are concerned.
StepGraph WholeOf(const Graph& graph) {
  StepGraph whole;
  for (const Node& node : graph.nodes()) {
    StepNode step;
    step.name = node.name;
    step.op = &node;
    step.inputs = node.inputs;
    step.input_types = node.input_types;
    whole.nodes.push_back(std::move(step));
  }
  return whole;
}

class BodyPlacer {
 public:
  BodyPlacer(StepGraph& graph, const DeviceSet& devices) : graph_(graph), devices_(devices) {}

  void Run() {
    for (StepNode& node : graph_.nodes) {
      if (!IsOfBody(node) || !HandlesResources(*node.op)) continue;
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
      const auto shared = std::find_if(node->input_types.begin(), node->input_types.end(), IsShared);
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
    if (HandlesResources(node)) nodes.push_back(node.id);
  }
  if (nodes.empty()) return;
  for (const NodeId id : nodes) {
    const auto known = before == nullptr ? std::nullopt : before->Find(graph.node(id).name);
    if (known) graph.Edit(id).device = before->node(*known).device;
  }
  const StepGraph whole = WholeOf(graph);
  const ColocationGroups groups(whole, soft);
  for (const NodeId id : nodes) {
    const DeviceName& request = groups.request(groups.Find(static_cast<int>(Index(id))));
    graph.Edit(id).device = HostOfGroup(request, graph.node(id), devices, soft).name();
  }
}

void PlaceResourcesOfBodies(StepGraph& graph, const DeviceSet& devices) { BodyPlacer(graph, devices).Run(); }

}  // namespace plumb::fast
