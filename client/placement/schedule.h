// The step that a placement is expected to take: each device runs one node at a time, values travel between devices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "client/placement/placed_groups.h"

namespace plumb {

// A device that nodes may go to.
struct DeviceOffer {
  std::string device;          // as nodes will ask for it, "/job:worker/task:1/device:CPU:0"
  int64_t memory = INT64_MAX;  // bytes
  double speed = 1;            // of where costs were measured
};

// Between any two devices.
struct LinkOffer {
  double latency = 50e-6;  // seconds
  double bytes_per_second = 1.25e9;
};

// What is known of a graph.
struct GraphCosts {
  std::vector<double> seconds;              // by node
  std::vector<std::vector<int64_t>> bytes;  // by node and output
  std::vector<int64_t> held;                // by group: variables, and what its nodes compute, as if nothing were freed
};

// Sums of bytes that stay below what an int64_t holds.
inline int64_t SumOfBytes(int64_t a, int64_t b) { return std::min(a + b, INT64_MAX / 4); }

class Schedule {
 public:
  Schedule(const Graph& graph, const PlacedGroups& groups, const GraphCosts& costs,
           const std::vector<DeviceOffer>& offers, const LinkOffer& link);

  // The seconds that a step takes where each group lies on an offer. Nodes run in the order of the graph, as soon as
  // their inputs are there and their device is free; a value travels to a device once.
  double SecondsOf(const std::vector<int>& offer_of_group) const;
  // Gives each group without an offer (-1), when its first node comes up, the offer where that node ends first, of
  // those that have room for the group. A group that has none stays without.
  void PlaceGreedily(std::vector<int>& offer_of_group) const;

  bool HasRoom(const std::vector<int>& offer_of_group) const;
  // By offer.
  std::vector<int64_t> HeldBytes(const std::vector<int>& offer_of_group) const;

 private:
  struct State;
  double EndOf(const State& state, const Node& node, int offer, const std::vector<int>& offer_of_group) const;
  void Run(State& state, const Node& node, const std::vector<int>& offer_of_group) const;
  bool IsBackEdge(const Node& node, Endpoint input) const { return Index(input.node) > Index(node.id); }

  const Graph& graph_;
  const PlacedGroups& groups_;
  const GraphCosts& costs_;
  const std::vector<DeviceOffer>& offers_;
  const LinkOffer link_;
};

}  // namespace plumb
