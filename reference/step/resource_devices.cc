// R1: on which device references, handles and what they lead to lie. Nobody computes there; it tells names apart.
#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "reference/step/placement.h"
#include "spec/core/device_name.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"

namespace plumb::reference {
namespace {

bool IsShared(DType type) { return IsRef(type) || type == DType::kResource; }

bool HandlesResources(const Node& node) {
  if (IsCall(node.op->kind)) return false;
  return std::any_of(node.input_types.begin(), node.input_types.end(), IsShared) ||
         std::any_of(node.output_types.begin(), node.output_types.end(), IsShared);
}

std::vector<std::string> ColocatedWith(const Node& node) {
  constexpr std::string_view kPrefix = "loc:@";
  std::vector<std::string> others;
  for (const std::string& text : GetAttrOr<std::vector<std::string>>(node.attrs, "_class", {})) {
    if (text.starts_with(kPrefix)) others.push_back(text.substr(kPrefix.size()));
  }
  return others;
}

// Empty where no CPU is described.
std::string FirstCpu(const DeviceName& request, const SessionOptions& options) {
  for (int id = 0; id < std::max(1, options.cpu_devices); ++id) {
    const DeviceName cpu{.job = "localhost", .replica = 0, .task = 0, .type = "CPU", .id = id};
    if (request.Describes(cpu)) return cpu.ToString();
  }
  return "";
}

// Nodes that lie on one device, and what they ask for together (W11, W12).
struct Group {
  std::vector<NodeId> members;
  DeviceName request;
};

class Groups {
 public:
  Groups(const Graph& graph, bool soft) : graph_(graph), soft_(soft) {
    for (const Node& node : graph.nodes()) {
      of_node_.push_back(std::make_shared<Group>(Group{{node.id}, DeviceName::Parse(node.device)}));
    }
    for (const Node& node : graph.nodes()) JoinProducers(node);
    for (const Node& node : graph.nodes()) JoinColocated(node);
  }

  const DeviceName& RequestOf(NodeId id) const { return of_node_[Index(id)]->request; }

 private:
  // W12: where they conflict, the producer's request counts.
  void JoinProducers(const Node& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!IsShared(node.input_types[i])) continue;
      DeviceName request = RequestOf(node.inputs[i].node);
      try {
        request = request.MergeWith(RequestOf(node.id), soft_);
      } catch (const Error&) {
        // It stays as the producer asks.
      }
      Join(node.inputs[i].node, node.id, request);
    }
  }

  // All that name one node, whether it is there or not; and that node, unless it names others itself.
  void JoinColocated(const Node& node) {
    for (const std::string& name : ColocatedWith(node)) {
      const auto [first, is_new] = first_to_name_.emplace(name, node.id);
      if (!is_new) JoinEquals(first->second, node.id);
      const auto named = graph_.Find(name);
      if (named && ColocatedWith(graph_.node(*named)).empty()) JoinEquals(*named, node.id);
    }
  }

  void JoinEquals(NodeId a, NodeId b) {
    if (of_node_[Index(a)] == of_node_[Index(b)]) return;
    try {
      Join(a, b, RequestOf(a).MergeWith(RequestOf(b), soft_));
    } catch (const Error& error) {
      if (soft_) return;  // W12: this colocation is ignored
      throw InvalidArgument("Cannot colocate nodes '", graph_.node(a).name, "' and '", graph_.node(b).name,
                            "': ", error.what());
    }
  }

  void Join(NodeId a, NodeId b, const DeviceName& request) {
    std::shared_ptr<Group> large = of_node_[Index(a)], small = of_node_[Index(b)];
    if (large == small) return;
    if (large->members.size() < small->members.size()) std::swap(large, small);
    large->request = request;
    for (const NodeId member : small->members) {
      large->members.push_back(member);
      of_node_[Index(member)] = large;
    }
  }

  const Graph& graph_;
  const bool soft_;
  std::vector<std::shared_ptr<Group>> of_node_;
  std::map<std::string, NodeId> first_to_name_;
};

// W13.
std::string DeviceFor(DeviceName request, const Node& node, const SessionOptions& options) {
  const std::string wanted = request.ToString();
  std::string device = FirstCpu(request, options);
  if (device.empty() && options.allow_soft_placement) {
    request.type.reset();
    request.id.reset();
    device = FirstCpu(request, options);
  }
  Require(!device.empty(), "Cannot assign a device for node '", node.name, "': ", wanted,
          " was asked for, which holds no variables and no other resources");
  return device;
}

// The node whose reference or handle this one is given, perhaps through others; itself if it makes one.
const Node& MakerFor(const Graph& graph, const Node& user) {
  const Node* node = &user;
  for (int steps = 0; steps < graph.size(); ++steps) {
    const auto shared = std::find_if(node->input_types.begin(), node->input_types.end(), IsShared);
    if (shared == node->input_types.end()) break;
    node = &graph.node(node->inputs[shared - node->input_types.begin()].node);
  }
  return *node;
}

}  // namespace

void PlaceResources(Graph& graph, const Graph* before, const SessionOptions& options) {
  for (int i = 0; i < graph.size(); ++i) {
    const Node& node = graph.node(NodeId(i));
    const auto known = before == nullptr ? std::nullopt : before->Find(node.name);
    if (known && HandlesResources(node)) graph.Edit(NodeId(i)).device = before->node(*known).device;
  }
  const Groups groups(graph, options.allow_soft_placement);
  for (int i = 0; i < graph.size(); ++i) {
    Node& node = graph.Edit(NodeId(i));
    if (HandlesResources(node)) node.device = DeviceFor(groups.RequestOf(NodeId(i)), node, options);
  }
}

void PlaceResourcesOfBody(Graph& body, std::span<const NodeId> args, const SessionOptions& options) {
  std::vector<std::string> devices;
  for (const Node& node : body.nodes()) {
    const Node& maker = MakerFor(body, node);
    const bool is_given = IsCall(maker.op->kind) || std::find(args.begin(), args.end(), maker.id) != args.end();
    const std::string cpu = is_given ? "" : FirstCpu(DeviceName::Parse(maker.device), options);
    devices.push_back(is_given || !cpu.empty() ? cpu : FirstCpu({}, options));
  }
  for (int i = 0; i < body.size(); ++i) {
    Node& node = body.Edit(NodeId(i));
    if (HandlesResources(node)) node.device = devices[i];
  }
}

}  // namespace plumb::reference
