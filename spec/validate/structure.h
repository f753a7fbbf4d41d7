// Checks on how a graph is written down: names, references and versions (rules G1–G7, V1).
#pragma once

#include <string_view>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb {

// Users may not begin a name with '_' (rule G1).
enum class NameOrigin { kUser, kRuntime };
void CheckNodeName(std::string_view name, NameOrigin origin);

// V1: whether this release may read the graph.
void CheckVersions(const VersionDef& versions);

// The input strings of a node, taken apart: data inputs first, then control inputs (rule G4).
struct NamedInputs {
  std::vector<TensorName> data;
  std::vector<std::string> control;
};
NamedInputs ParseInputs(const NodeDef& node);

// G5: repeated control inputs are one edge; the first stays.
void RemoveRepetitions(std::vector<NodeId>& control_inputs);

}  // namespace plumb
