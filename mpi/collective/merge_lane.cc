#include "mpi/collective/merge_lane.h"

#include <utility>

namespace plumb::dist {

void MergeLane::Schedule(std::function<void()> work) {
  MutexLock lock(mutex_);
  (own_ != nullptr ? *own_ : pool_).Schedule(std::move(work));
}

void MergeLane::Stop() {
  std::unique_ptr<fast::ThreadPool> ending;  // after the lock is released, for what it gives up may come back here
  MutexLock lock(mutex_);
  ending.swap(own_);
}

}  // namespace plumb::dist
