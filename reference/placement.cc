#include "reference/placement.h"

#include "spec/core/device_name.h"

namespace plumb::reference {
namespace {

bool IsMet(DeviceName request, const SessionOptions& options) {
  if (options.allow_soft_placement) {
    request.type.reset();
    request.id.reset();
  }
  const auto is_met_by = [&](const char* type, int count) {
    const DeviceName device{.job = "localhost", .replica = 0, .task = 0, .type = type, .id = request.id.value_or(0)};
    return *device.id < count && request.Describes(device);
  };
  return is_met_by("CPU", options.cpu_devices) || is_met_by("SIM", options.sim_devices);
}

bool FollowsItsInput(const Node& node) {
  for (const DType type : node.input_types) {
    if (IsRef(type) || type == DType::kResource) return true;
  }
  return false;
}

}  // namespace

void CheckPlacement(const Graph& graph, const SessionOptions& options) {
  for (const Node& node : graph.nodes()) {
    if (node.device.empty() || FollowsItsInput(node)) continue;
    Require(IsMet(DeviceName::Parse(node.device), options), "Cannot assign a device for node '", node.name,
            "': it was explicitly assigned to ", node.device, ", but there are only /job:localhost/replica:0/task:0/",
            "device:CPU:0 … ", options.cpu_devices - 1, " and ", options.sim_devices, " simulated accelerators");
  }
}

}  // namespace plumb::reference
