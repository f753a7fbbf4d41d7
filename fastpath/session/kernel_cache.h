// The kernels of a session, by node name. A node has one kernel however many plans contain it, so that stateful kernels
// go on where they stopped (rule S6).
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "fastpath/device/kernel.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class KernelCache {
 public:
  // Makes the kernel on first use; throws as its factory does.
  std::shared_ptr<Kernel> Get(const Node& node);

  // What the kernels keep from step to step, under their nodes' names.
  void Save(const StateWriter& writer);
  // For kernels that are made from now on.
  void Restore(SavedState state);

 private:
  Mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Kernel>> kernels_ PLUMB_GUARDED_BY(mutex_);
  SavedState restored_ PLUMB_GUARDED_BY(mutex_);  // by node
};

}  // namespace plumb::fast
