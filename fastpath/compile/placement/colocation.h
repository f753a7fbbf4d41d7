// Analysis: which nodes must share a device (rules W11, W12).
#pragma once

#include <vector>

#include "fastpath/compile/graph/step_graph.h"
#include "spec/core/device_name.h"

namespace plumb::fast {

// Attribute of nodes that run on another device than they ask for: its name (resource_devices.h).
inline constexpr char kHolder[] = "_holder";

// Sets of nodes that must share a device, with what they ask for together. `soft`: as in Place.
class ColocationGroups {
 public:
  // Throws kInvalidArgument "Cannot colocate nodes".
  ColocationGroups(const StepGraph& graph, bool soft);

  // A group is called by one of its nodes.
  int Find(int node) const;
  const DeviceName& request(int group) const { return request_[group]; }

 private:
  void JoinReferences();
  void JoinAliases();
  void JoinVariants();
  std::vector<bool> FindAlone() const;
  void JoinClasses();
  void JoinOrThrow(int a, int b);

  const StepGraph& graph_;
  const bool soft_;
  mutable std::vector<int> parent_;  // looking a group up shortens the way to it
  std::vector<DeviceName> request_;  // of a group, at its representative
};

}  // namespace plumb::fast
