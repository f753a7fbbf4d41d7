// Analysis: on devices with memory of their own, which values lie there and which in the host's (rule W16).
#pragma once

#include <vector>

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

// Whether such a node hands on the value of its inputs, or of the first one.
bool OnlyMoves(NodeKind kind);

// What only moves a value keeps it where the device computes; an int32, bool or variant that the host has, and that is
// wanted there, stays on the host on all of its way. A variant lies where its numbers do.
class MemoryKinds {
 public:
  MemoryKinds(const StepGraph& graph, const DeviceSet& devices);

  // Where the producer leaves the value, and where the consumer looks for it. Devices are set.
  bool LiesOnHost(Endpoint output) const;
  bool IsWantedOnHost(NodeId consumer, size_t input) const;

 private:
  const Device& DeviceOf(const StepNode& node) const { return devices_[node.device]; }
  bool MovesOnHost(NodeId id) const { return Index(id) < moves_on_host_.size() && moves_on_host_[Index(id)]; }
  void LeaveOutWhatComesFromDevices();
  void LeaveOutWhatNobodyWants();

  const StepGraph& graph_;
  const DeviceSet& devices_;
  std::vector<bool> moves_on_host_;  // by node of the graph as it was at first
};

}  // namespace plumb::fast
