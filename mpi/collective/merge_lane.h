// Where a rank merges what has come from others.
#pragma once

#include <functional>
#include <memory>

#include "fastpath/device/thread_pool.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {

// A thread of its own: kernels keep the pool's until a step has none left to start, and what a merge lets others go on
// with would be sent only then.
class MergeLane {
 public:
  // Without a thread all is done by the pool, as where the transport has its own time.
  MergeLane(fast::ThreadPool& pool, bool has_thread)
      : pool_(pool), own_(has_thread ? std::make_unique<fast::ThreadPool>(2) : nullptr) {}

  fast::ThreadPool& pool() { return pool_; }
  // Starts the thread when it is first needed. `work` does not throw.
  void Schedule(std::function<void()> work);
  // Ends the thread; what it has not begun is given up. Later work goes to the pool. Not from the thread itself.
  void Stop();

 private:
  fast::ThreadPool& pool_;
  Mutex mutex_;
  std::unique_ptr<fast::ThreadPool> own_
      PLUMB_GUARDED_BY(mutex_);  // of one thread beside its owner, which does nothing
};

}  // namespace plumb::dist
