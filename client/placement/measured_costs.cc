#include "client/placement/measured_costs.h"

#include <algorithm>

namespace plumb {

void MeasuredCosts::Learn(const RunMetadata& metadata) {
  std::map<std::string, int64_t> step;
  for (const DeviceStats& device : metadata.step_stats) {
    for (const NodeStats& node : device.nodes) step[node.node] += std::max<int64_t>(0, node.end_ns - node.start_ns);
  }
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
