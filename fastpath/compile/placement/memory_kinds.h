// Analysis: on devices with memory of their own, which values lie there and which in the host's (rule W16).
#pragma once

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

class MemoryKinds {
 public:
  MemoryKinds(const StepGraph& graph, const DeviceSet& devices) : graph_(graph), devices_(devices) {}

  // Where the producer leaves the value, and where the consumer looks for it. Devices are set.
  bool LiesOnHost(Endpoint output) const;
  bool IsWantedOnHost(NodeId consumer, size_t input) const;

 private:
  const Device& DeviceOf(const StepNode& node) const { return devices_[node.device]; }

  const StepGraph& graph_;
  const DeviceSet& devices_;
};

}  // namespace plumb::fast
