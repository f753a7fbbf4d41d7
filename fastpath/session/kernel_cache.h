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

 private:
  Mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Kernel>> kernels_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
