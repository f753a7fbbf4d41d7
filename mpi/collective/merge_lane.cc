#include "mpi/collective/merge_lane.h"

#include <utility>

namespace plumb::dist {

void MergeLane::Schedule(std::function<void()> work) {
  {
    MutexLock lock(mutex_);
    if (!has_thread_ || is_stopping_) return pool_.Schedule(std::move(work));
    works_.push_back(std::move(work));
    if (!thread_.joinable()) thread_ = std::thread([this] { Loop(); });
  }
  changed_.NotifyAll();
}

void MergeLane::Stop() {
  std::thread thread;
  std::deque<std::function<void()>> given_up;
  {
    MutexLock lock(mutex_);
    is_stopping_ = true;
    thread = std::move(thread_);
    given_up.swap(works_);
  }
  changed_.NotifyAll();
  if (thread.joinable()) thread.join();
}

void MergeLane::Loop() {
  for (;;) {
    std::function<void()> work;
    {
      MutexLock lock(mutex_);
      while (works_.empty() && !is_stopping_) changed_.Wait(mutex_);
      if (is_stopping_) return;
      work = std::move(works_.front());
      works_.pop_front();
    }
    work();
  }
}

}  // namespace plumb::dist
