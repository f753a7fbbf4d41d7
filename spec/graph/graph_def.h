// A graph as it is written down (GraphDef, NodeDef; rules 9.1, 9.2), unchecked. Graph (graph.h) is the checked form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/core/attr.h"

namespace plumb {

struct NodeDef {
  std::string name;
  std::string op;
  std::vector<std::string> inputs;  // data inputs "node:port" first, then control inputs "^node" (rule G4)
  std::string device;               // a partial device name, empty: unconstrained
  AttrMap attrs;
  std::string debug_info;  // experimental_debug_info as bytes, kept on round trip
};

struct VersionDef {
  int32_t producer = 0;
  int32_t min_consumer = 0;
  std::vector<int32_t> bad_consumers;
  bool operator==(const VersionDef&) const = default;
};

struct GraphDef {
  std::vector<NodeDef> nodes;
  VersionDef versions;
  std::string library;  // FunctionDefLibrary as bytes, kept on round trip
};

// The newest graph version understood here (C of rule V1).
constexpr int32_t kGraphVersion = 134;

}  // namespace plumb
