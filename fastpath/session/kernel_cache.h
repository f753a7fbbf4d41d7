// The kernels of a session, by device and node name; the CPUs count as one device. A node has one kernel however many
// plans contain it, so that stateful kernels go on where they stopped (rule S6).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "fastpath/device/device.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class KernelCache {
 public:
  // Makes the kernel on first use; throws as its factory does. What passes added is not kept: it has no state.
  std::shared_ptr<Kernel> Get(const Node& node, Device& device);

  // What the kernels keep from step to step, under their nodes' names; before them what was restored for kernels that
  // no step has needed since, unless only kernels that are there are asked for.
  void Save(const StateWriter& writer, bool only_made = false);
  // For kernels that are made from now on.
  void Restore(SavedState state);

 private:
  Mutex mutex_;
  using Kernels = std::unordered_map<std::string, std::shared_ptr<Kernel>>;
  std::map<const MemorySpace*, Kernels> kernels_ PLUMB_GUARDED_BY(mutex_);
  SavedState restored_ PLUMB_GUARDED_BY(mutex_);  // by node
};

}  // namespace plumb::fast
