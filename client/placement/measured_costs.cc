#include "client/placement/measured_costs.h"

#include <algorithm>

#include "spec/session/trace_lines.h"

namespace plumb {

void MeasuredCosts::Learn(const RunMetadata& metadata) {
  std::map<std::string, int64_t> step, on_streams;
  for (const DeviceStats& device : metadata.step_stats) {
    const TraceLine line = TraceLineOf(device.device);
    if (line == TraceLine::kAgain) continue;
    for (const NodeStats& node : device.nodes) {
      const bool is_on_stream = line == TraceLine::kStream;
      const std::string name(is_on_stream ? NodeOnStream(node.node) : node.node);
      (is_on_stream ? on_streams : step)[name] += std::max<int64_t>(0, node.end_ns - node.start_ns);
    }
  }
  for (const auto& [node, nanoseconds] : on_streams) step[node] = nanoseconds;
  for (const auto& [node, nanoseconds] : step) seconds_[node].push_back(1e-9 * static_cast<double>(nanoseconds));
}

std::optional<double> MeasuredCosts::SecondsOf(std::string_view node) const {
  const auto found = seconds_.find(node);
  if (found == seconds_.end()) return std::nullopt;
  std::vector<double> sorted = found->second;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace plumb
