#include "spec/validate/devices.h"

#include "spec/core/device_name.h"

namespace plumb {
namespace {

void CheckDeviceName(const Node& node, const std::string& device) {
  try {
    DeviceName::Parse(device);
  } catch (const Error& error) {
    throw InvalidArgument("node '", node.name, "': ", error.what());
  }
}

}  // namespace

void CheckDevices(const Graph& graph) {
  const std::string* checked = nullptr;
  for (const Node& node : graph.nodes()) {
    if (node.device.empty() || (checked != nullptr && *checked == node.device)) continue;
    CheckDeviceName(node, node.device);
    checked = &node.device;
  }
}

void CheckMessageName(const Node& node) {
  CheckDeviceName(node, GetAttr<std::string>(node.attrs, "send_device"));
  CheckDeviceName(node, GetAttr<std::string>(node.attrs, "recv_device"));
  const auto& tensor = GetAttr<std::string>(node.attrs, "tensor_name");
  Require(!tensor.empty() && tensor.find(';') == std::string::npos, "node '", node.name, "': its tensor_name is '",
          tensor, "'; it must not be empty, and have no ';'");
}

}  // namespace plumb
