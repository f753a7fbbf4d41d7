// Where the nodes of a random graph are asked to lie.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "backends/backends.h"
#include "property-tests/generators/tape.h"
#include "spec/graph/graph.h"
#include "spec/session/session.h"

namespace plumb::property {

// Asks for a CPU, an accelerator or nothing, node by node. Wishes that cannot be met need soft placement.
inline void SpreadOverDevices(std::vector<NodeDef>& nodes, Tape& tape) {
  constexpr const char* kDevices[] = {"", "/cpu:0", "/device:SIM:0", "/device:SIM:1", "/cpu:1", "/device:GPU:0"};
  for (NodeDef& node : nodes) node.device = kDevices[tape.Below(std::size(kDevices))];
}
inline GraphDef SpreadOverDevices(GraphDef graph, Tape& tape) {
  SpreadOverDevices(graph.nodes, tape);
  return graph;
}

// Every node asks for the host or for the first accelerator, and gets what it asks for: what deals with objects or
// references stays on the host. So all implementations agree where a value crosses from one device to the other (R36).
inline GraphDef PinToDevices(GraphDef graph, Tape& tape) {
  const Graph loaded = Graph::Load(graph);
  const auto is_number = [](DType type) {
    return !IsRef(type) && type != DType::kString && type != DType::kResource && type != DType::kVariant;
  };
  for (NodeDef& def : graph.nodes) {
    const Node& node = loaded.node(*loaded.Find(def.name));
    const bool may_move = std::all_of(node.input_types.begin(), node.input_types.end(), is_number) &&
                          std::all_of(node.output_types.begin(), node.output_types.end(), is_number);
    def.device = may_move && tape.Chance(50) ? "/device:SIM:0" : "/cpu:0";
  }
  return graph;
}

inline SessionOptions OnAllDevices(int threads, int forced_sharing, uint64_t seed, int cpu_devices = 1) {
  return {.threads = threads,
          .cpu_devices = cpu_devices,
          .sim_devices = 2,
          .sim_seed = seed,
          .allow_soft_placement = true,
          .forced_sharing = forced_sharing};
}

// With a GPU beside them: an emulated one, if the program has any, or, where PLUMB_CARDS is set, a card of this
// machine. What asks for nothing prefers it.
inline SessionOptions WithGpu(SessionOptions options) {
  const bool has_cards = std::getenv("PLUMB_CARDS") != nullptr;
  options.gpu_devices = has_cards ? 1 : 0;
  const auto names = BackendNames();
  const bool has_emulated = std::find(names.begin(), names.end(), "gpu-emulated") != names.end();
  options.emulated_gpus = !has_cards && has_emulated ? 1 : 0;
  return options;
}

}  // namespace plumb::property
