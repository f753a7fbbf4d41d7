#include "spec/validate/devices.h"

#include "spec/core/device_name.h"

namespace plumb {

void CheckDevices(const Graph& graph) {
  const std::string* checked = nullptr;
  for (const Node& node : graph.nodes()) {
    if (node.device.empty() || (checked != nullptr && *checked == node.device)) continue;
    try {
      DeviceName::Parse(node.device);
      checked = &node.device;
    } catch (const Error& error) {
      throw InvalidArgument("node '", node.name, "': ", error.what());
    }
  }
}

}  // namespace plumb
