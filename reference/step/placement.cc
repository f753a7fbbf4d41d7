#include "reference/step/placement.h"

#include <algorithm>

namespace plumb::reference {
namespace {

int CountGpus(const SessionOptions& options) { return options.gpu_devices + options.emulated_gpus; }

bool IsMet(DeviceName request, const SessionOptions& options) {
  if (options.allow_soft_placement) {
    request.type.reset();
    request.id.reset();
  }
  const auto is_met_by = [&](const char* type, int count) {
    const DeviceName device{.job = "localhost", .replica = 0, .task = 0, .type = type, .id = request.id.value_or(0)};
    return *device.id < count && request.Describes(device);
  };
  return is_met_by("CPU", options.cpu_devices) || is_met_by("SIM", options.sim_devices) ||
         is_met_by("GPU", CountGpus(options));
}

// The first input that is a reference or a handle, or -1.
int SharedInput(const Node& node) {
  const auto is_shared = [](DType type) { return IsRef(type) || type == DType::kResource; };
  const auto found = std::find_if(node.input_types.begin(), node.input_types.end(), is_shared);
  return found == node.input_types.end() ? -1 : static_cast<int>(found - node.input_types.begin());
}

bool Conflict(const Node& producer, const Node& consumer, bool soft) {
  try {
    DeviceName::Parse(producer.device).MergeWith(DeviceName::Parse(consumer.device), soft);
    return false;
  } catch (const Error&) {
    return true;
  }
}

// W12: whether the request gives way to that of the node that the reference or handle comes from. Where that one asks
// for nothing, or for nothing else, there is no conflict to give way to.
bool GivesWay(const Graph& graph, const Node& node, bool soft) {
  const Node* source = &node;
  for (int input = SharedInput(node), steps = 0; input >= 0 && steps < graph.size(); ++steps) {
    source = &graph.node(source->inputs[input].node);
    if (!source->device.empty()) return Conflict(*source, node, soft);
    input = SharedInput(*source);
  }
  return false;
}

}  // namespace

int CountDevices(const SessionOptions& options) {
  return options.cpu_devices + options.sim_devices + CountGpus(options);
}

int NumberOfDevice(const DeviceName& request, const SessionOptions& options) {
  const int id = request.id.value_or(0);
  if (request.type == "SIM" && id < options.sim_devices) return options.cpu_devices + id;
  if (request.type == "GPU" && id < CountGpus(options)) return options.cpu_devices + options.sim_devices + id;
  return id < options.cpu_devices ? id : 0;
}

void CheckPlacement(const Graph& graph, const SessionOptions& options) {
  for (const Node& node : graph.nodes()) {
    if (node.device.empty() || GivesWay(graph, node, options.allow_soft_placement)) continue;
    Require(IsMet(DeviceName::Parse(node.device), options), "Cannot assign a device for node '", node.name,
            "': it was explicitly assigned to ", node.device, ", but there are only /job:localhost/replica:0/task:0/",
            "device:CPU:0 … ", options.cpu_devices - 1, ", ", options.sim_devices, " simulated accelerators and ",
            CountGpus(options), " GPUs", options.allow_soft_placement ? "" : "; with soft placement it runs elsewhere");
  }
}

void CheckTarget(const Node& call, const Tensor& target, const SessionOptions& options) {
  Require(target.elements() == 1, "node '", call.name, "': target must be one string, but has the shape ",
          target.shape().ToString());
  const std::string& name = target.data<std::string>()[0];
  SessionOptions as_it_is = options;
  as_it_is.allow_soft_placement = false;
  Require(IsMet(DeviceName::Parse(name), as_it_is), "node '", call.name, "': there is no device '", name,
          "' that the function could run on");
}

}  // namespace plumb::reference
