// The graph of a session: what all calls of Extend have brought.
#pragma once

#include <memory>

#include "fastpath/device/device.h"
#include "spec/core/thread_annotations.h"
#include "spec/graph/graph.h"

namespace plumb::fast {

class SessionGraph {
 public:
  // Adds nodes, and places what holds resources (rules S1, V3, W10). Throws what is wrong with them, and then nothing
  // has changed. Whether there is a new graph.
  bool Extend(const GraphDef& added, const DeviceSet& devices, bool allow_soft_placement);
  // Throws kInvalidArgument where nothing was added yet.
  std::shared_ptr<const Graph> Current();

 private:
  Mutex mutex_;
  GraphDef def_ PLUMB_GUARDED_BY(mutex_);
  std::shared_ptr<const Graph> graph_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
