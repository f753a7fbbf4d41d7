#include "client/placement/schedule.h"

#include <algorithm>
#include <map>
#include <utility>

namespace plumb {

// While a step is run through.
struct Schedule::State {
  State(size_t nodes, size_t offers) : ended(nodes), free_at(offers) {}
  std::vector<double> ended;    // by node
  std::vector<double> free_at;  // by offer
  std::map<std::pair<Endpoint, int>, double> arrived;
};

Schedule::Schedule(const Graph& graph, const PlacedGroups& groups, const GraphCosts& costs,
                   const std::vector<DeviceOffer>& offers, const LinkOffer& link)
    : graph_(graph), groups_(groups), costs_(costs), offers_(offers), link_(link) {}

double Schedule::EndOf(const State& state, const Node& node, int offer, const std::vector<int>& offer_of_group) const {
  double begins = state.free_at[static_cast<size_t>(offer)];
  const auto needs = [&](Endpoint value, double bytes) {
    const int from = offer_of_group[groups_.Of(value.node)];
    double there = state.ended[Index(value.node)];
    if (from != offer) {
      const auto known = state.arrived.find({value, offer});
      there = known != state.arrived.end() ? known->second : there + link_.latency + bytes / link_.bytes_per_second;
    }
    begins = std::max(begins, there);
  };
  for (const Endpoint input : node.inputs) {
    if (IsBackEdge(node, input)) continue;
    needs(input, static_cast<double>(costs_.bytes[Index(input.node)][static_cast<size_t>(input.output)]));
  }
  for (const NodeId before : node.control_inputs) {
    if (Index(before) < Index(node.id)) needs({before, -1}, 0);
  }
  return begins + costs_.seconds[Index(node.id)] / offers_[static_cast<size_t>(offer)].speed;
}

void Schedule::Run(State& state, const Node& node, const std::vector<int>& offer_of_group) const {
  const int offer = offer_of_group[groups_.Of(node.id)];
  const double end = EndOf(state, node, offer, offer_of_group);
  for (const Endpoint input : node.inputs) {
    if (IsBackEdge(node, input) || offer_of_group[groups_.Of(input.node)] == offer) continue;
    const auto bytes = static_cast<double>(costs_.bytes[Index(input.node)][static_cast<size_t>(input.output)]);
    state.arrived.emplace(std::pair(input, offer),
                          state.ended[Index(input.node)] + link_.latency + bytes / link_.bytes_per_second);
  }
  state.ended[Index(node.id)] = end;
  // What costs nothing keeps no device waiting.
  if (costs_.seconds[Index(node.id)] > 0) state.free_at[static_cast<size_t>(offer)] = end;
}

double Schedule::SecondsOf(const std::vector<int>& offer_of_group) const {
  State state(graph_.nodes().size(), offers_.size());
  for (const Node& node : graph_.nodes()) Run(state, node, offer_of_group);
  return state.ended.empty() ? 0 : *std::max_element(state.ended.begin(), state.ended.end());
}

void Schedule::PlaceGreedily(std::vector<int>& offer_of_group) const {
  State state(graph_.nodes().size(), offers_.size());
  std::vector<int64_t> held = HeldBytes(offer_of_group);
  for (const Node& node : graph_.nodes()) {
    const int group = groups_.Of(node.id);
    int& chosen = offer_of_group[group];
    if (chosen < 0) {
      int best = -1;
      double least = 0;
      for (int offer = 0; offer < static_cast<int>(offers_.size()); ++offer) {
        const auto place = static_cast<size_t>(offer);
        if (costs_.held[static_cast<size_t>(group)] > offers_[place].memory - held[place]) continue;
        const double end = EndOf(state, node, offer, offer_of_group);
        if (best >= 0 && end >= least) continue;
        best = offer;
        least = end;
      }
      if (best < 0) return;
      chosen = best;
      int64_t& there = held[static_cast<size_t>(best)];
      there = SumOfBytes(there, costs_.held[static_cast<size_t>(group)]);
    }
    Run(state, node, offer_of_group);
  }
}

std::vector<int64_t> Schedule::HeldBytes(const std::vector<int>& offer_of_group) const {
  std::vector<int64_t> held(offers_.size());
  for (size_t group = 0; group < offer_of_group.size(); ++group) {
    if (offer_of_group[group] < 0) continue;
    int64_t& there = held[static_cast<size_t>(offer_of_group[group])];
    there = SumOfBytes(there, costs_.held[group]);
  }
  return held;
}

bool Schedule::HasRoom(const std::vector<int>& offer_of_group) const {
  const std::vector<int64_t> held = HeldBytes(offer_of_group);
  for (size_t offer = 0; offer < offers_.size(); ++offer) {
    if (held[offer] > offers_[offer].memory) return false;
  }
  return true;
}

}  // namespace plumb
