#include "client/placement/place_by_cost.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "spec/core/device_name.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

// Of one core, for nodes that were not measured.
constexpr double kSecondsPerNode = 1e-6, kUnitsPerSecond = 2e9;
// So many nodes are run through at most while groups are moved.
constexpr double kMostSteps = 2e7;

int64_t BytesOf(const GraphBuilder& builder, Endpoint value, const CostOptions& options) {
  const PartialShape& shape = builder.shape(value);
  int64_t bytes = static_cast<int64_t>(ElementSize(builder.dtype(value)));
  for (int axis = 0; axis < std::max(0, shape.rank()); ++axis) {
    const int64_t size = shape.dim(axis) < 0 ? options.unknown_dimension : shape.dim(axis);
    bytes = CheckedMultiply(bytes, size).value_or(INT64_MAX / 4);
  }
  return bytes;
}

// A node hands on the buffer of another one where it is handed a reference.
bool HoldsItsOutputs(const Node& node) {
  return std::none_of(node.input_types.begin(), node.input_types.end(), [](DType type) { return IsRef(type); });
}

GraphCosts CostsOf(const GraphBuilder& builder, const PlacedGroups& groups, const MeasuredCosts& measured,
                   const CostOptions& options, int& known) {
  const Graph& graph = builder.graph();
  GraphCosts costs;
  costs.held.resize(static_cast<size_t>(groups.size()));
  for (const Node& node : graph.nodes()) {
    std::vector<int64_t>& bytes = costs.bytes.emplace_back();
    int64_t moved = 0;
    for (int output = 0; output < static_cast<int>(node.output_types.size()); ++output) {
      bytes.push_back(BytesOf(builder, {node.id, output}, options));
      moved = SumOfBytes(moved, bytes.back());
    }
    if (HoldsItsOutputs(node)) {
      int64_t& held = costs.held[static_cast<size_t>(groups.Of(node.id))];
      held = SumOfBytes(held, moved);
    }
    const std::optional<double> seconds = measured.SecondsOf(node.name);
    known += seconds ? 1 : 0;
    const bool moves = node.op->kind == OpKind::kKernel;
    const double estimated = moves ? kSecondsPerNode + static_cast<double>(moved) * node.op->cost / kUnitsPerSecond : 0;
    costs.seconds.push_back(seconds.value_or(estimated));
  }
  return costs;
}

// The offers of groups that ask for one; -1 for all others.
std::vector<int> AskedFor(const Graph& graph, const PlacedGroups& groups, const std::vector<DeviceOffer>& offers) {
  std::vector<int> asked;
  for (int group = 0; group < groups.size(); ++group) {
    asked.push_back(-1);
    if (groups.request(group).empty()) continue;
    const DeviceName request = DeviceName::Parse(groups.request(group));
    for (size_t offer = 0; offer < offers.size() && asked.back() < 0; ++offer) {
      const DeviceName device = DeviceName::Parse(offers[offer].device);
      if (request.Describes(device) || device.Describes(request)) asked.back() = static_cast<int>(offer);
    }
    Require(asked.back() >= 0, "node '", graph.node(groups.members(group)[0]).name, "' asks for ",
            groups.request(group), ", which is none of the devices that are offered");
  }
  return asked;
}

// Largest groups first, each where most is free, whether it finds room there or not.
void Pack(const Schedule& schedule, const GraphCosts& costs, const std::vector<DeviceOffer>& offers,
          std::vector<int>& placed) {
  std::vector<int> order(placed.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return costs.held[static_cast<size_t>(a)] > costs.held[static_cast<size_t>(b)];
  });
  std::vector<int64_t> held = schedule.HeldBytes(placed);
  for (const int group : order) {
    if (placed[group] >= 0) continue;
    size_t most = 0;
    for (size_t offer = 1; offer < offers.size(); ++offer) {
      if (offers[offer].memory - held[offer] > offers[most].memory - held[most]) most = offer;
    }
    held[most] = SumOfBytes(held[most], costs.held[static_cast<size_t>(group)]);
    placed[group] = static_cast<int>(most);
  }
}

// The quickest of: a greedy schedule, all on one device, and packed as they fit.
std::vector<int> InitialPlacement(const Schedule& schedule, const GraphCosts& costs,
                                  const std::vector<DeviceOffer>& offers, const std::vector<int>& asked) {
  std::vector<std::vector<int>> candidates(2 + offers.size(), asked);
  schedule.PlaceGreedily(candidates[0]);
  Pack(schedule, costs, offers, candidates[1]);
  for (size_t offer = 0; offer < offers.size(); ++offer) {
    for (int& placed : candidates[2 + offer]) placed = placed < 0 ? static_cast<int>(offer) : placed;
  }
  std::vector<int> best;
  double least = 0;
  for (const std::vector<int>& candidate : candidates) {
    if (std::count(candidate.begin(), candidate.end(), -1) > 0 || !schedule.HasRoom(candidate)) continue;
    const double seconds = schedule.SecondsOf(candidate);
    if (!best.empty() && seconds >= least) continue;
    best = candidate;
    least = seconds;
  }
  return best;
}

// Moves one group at a time for as long as the step gets shorter.
void Improve(const Schedule& schedule, const std::vector<int>& asked, int offers, size_t nodes,
             std::vector<int>& best) {
  double least = schedule.SecondsOf(best);
  double steps = 0;
  for (bool any = true; any && steps < kMostSteps;) {
    any = false;
    for (size_t group = 0; group < best.size() && steps < kMostSteps; ++group) {
      for (int offer = 0; asked[group] < 0 && offer < offers; ++offer) {
        if (offer == best[group]) continue;
        const int before = std::exchange(best[group], offer);
        steps += static_cast<double>(nodes);
        const double seconds = schedule.HasRoom(best) ? schedule.SecondsOf(best) : least;
        if (seconds < least) {
          least = seconds;
          any = true;
        } else {
          best[group] = before;
        }
      }
    }
  }
}

}  // namespace

CostPlacement PlaceByCost(const GraphBuilder& builder, const MeasuredCosts& measured,
                          const std::vector<DeviceOffer>& offers, const CostOptions& options) {
  Require(!offers.empty(), "a graph is placed on one device at least");
  const Graph& graph = builder.graph();
  const PlacedGroups groups(graph);
  CostPlacement placement;
  const GraphCosts costs = CostsOf(builder, groups, measured, options, placement.measured);
  const std::vector<int> asked = AskedFor(graph, groups, offers);
  const Schedule schedule(graph, groups, costs, offers, options.link);
  std::vector<int> best = InitialPlacement(schedule, costs, offers, asked);
  if (best.empty() && !asked.empty()) {
    const int64_t needed = std::accumulate(costs.held.begin(), costs.held.end(), int64_t{0}, SumOfBytes);
    const int64_t largest = *std::max_element(costs.held.begin(), costs.held.end());
    std::string free;
    for (const DeviceOffer& offer : offers) free += Str(free.empty() ? "" : ", ", offer.device, " ", offer.memory);
    throw ResourceExhausted("a graph that holds ", needed, " bytes, ", largest,
                            " of them in one place, was found no room for: the devices have ", free);
  }
  Improve(schedule, asked, static_cast<int>(offers.size()), graph.nodes().size(), best);
  placement.seconds = schedule.SecondsOf(best);
  placement.held = schedule.HeldBytes(best);
  for (const Node& node : graph.nodes()) {
    const int offer = best[groups.Of(node.id)];
    placement.offers[node.name] = offer;
    placement.node_seconds[node.name] = costs.seconds[Index(node.id)];
    if (node.device.empty()) placement.devices[node.name] = offers[static_cast<size_t>(offer)].device;
  }
  return placement;
}

void AskForDevices(GraphDef& graph, const CostPlacement& placement) {
  for (NodeDef& node : graph.nodes) {
    const auto found = placement.devices.find(node.name);
    if (node.device.empty() && found != placement.devices.end()) node.device = found->second;
  }
}

}  // namespace plumb
