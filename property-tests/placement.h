// Where the nodes of a random graph are asked to lie.
#pragma once

#include "property-tests/tape.h"
#include "spec/session/session.h"

namespace plumb::property {

// Asks for cpu:0, sim:0, sim:1 or nothing, node by node. Wishes that cannot be met need soft placement.
inline GraphDef SpreadOverDevices(GraphDef graph, Tape& tape) {
  constexpr const char* kDevices[] = {"", "/cpu:0", "/device:SIM:0", "/device:SIM:1"};
  for (NodeDef& node : graph.nodes) node.device = kDevices[tape.Below(std::size(kDevices))];
  return graph;
}

inline SessionOptions OnAllDevices(int threads, int forced_sharing, uint64_t seed) {
  return {.threads = threads,
          .sim_devices = 2,
          .sim_seed = seed,
          .allow_soft_placement = true,
          .forced_sharing = forced_sharing};
}

}  // namespace plumb::property
