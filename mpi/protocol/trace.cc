#include "mpi/protocol/trace.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "mpi/protocol/wire.h"

namespace plumb::dist {
namespace {

struct TracedNode {
  NodeStats stats;
  static void Travel(auto& self, auto& io) {
    auto& stats = self.stats;
    io(stats.node, stats.op, stats.scheduled_ns, stats.start_ns, stats.end_ns, stats.thread);
  }
};

struct TracedDevice {
  std::string name;
  std::vector<TracedNode> nodes;
  static void Travel(auto& self, auto& io) { io(self.name, self.nodes); }
};

}  // namespace

std::string EncodeTrace(const RunMetadata& metadata) {
  std::vector<TracedDevice> devices;
  for (const DeviceStats& device : metadata.step_stats) {
    if (device.nodes.empty()) continue;
    TracedDevice& traced = devices.emplace_back(TracedDevice{device.device, {}});
    for (const NodeStats& node : device.nodes) traced.nodes.push_back({node});
  }
  Writer writer;
  writer(devices);
  return writer.Take();
}

RunMetadata DecodeTrace(std::string_view bytes) {
  std::vector<TracedDevice> devices;
  Reader reader(bytes);
  reader(devices);
  reader.End();
  RunMetadata metadata;
  for (TracedDevice& device : devices) {
    DeviceStats& stats = metadata.step_stats.emplace_back(DeviceStats{std::move(device.name), {}});
    for (TracedNode& node : device.nodes) stats.nodes.push_back(std::move(node.stats));
  }
  return metadata;
}

void Shift(RunMetadata& metadata, int64_t nanoseconds) {
  for (DeviceStats& device : metadata.step_stats) {
    for (NodeStats& node : device.nodes) {
      node.scheduled_ns += nanoseconds;
      node.start_ns += nanoseconds;
      node.end_ns += nanoseconds;
    }
  }
}

void Join(RunMetadata& metadata, RunMetadata part) {
  auto& all = metadata.step_stats;
  std::erase_if(all, [](const DeviceStats& device) { return device.nodes.empty(); });
  for (DeviceStats& device : part.step_stats) {
    if (device.nodes.empty()) continue;
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.device == device.device; });
    if (same == all.end()) {
      all.push_back(std::move(device));
    } else {
      std::move(device.nodes.begin(), device.nodes.end(), std::back_inserter(same->nodes));
    }
  }
}

}  // namespace plumb::dist
