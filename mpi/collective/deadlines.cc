#include "mpi/collective/deadlines.h"

#include <algorithm>
#include <utility>

namespace plumb::dist {

void Deadlines::Expect(Clock::time_point time) {
  {
    MutexLock lock(mutex_);
    if (is_stopping_ || time >= next_) return;
    if (!thread_.joinable()) thread_ = std::thread([this] { Loop(); });  // where there is none, nothing is expected
    next_ = time;
  }
  changed_.NotifyAll();
}

void Deadlines::Stop() {
  std::thread thread;
  {
    MutexLock lock(mutex_);
    is_stopping_ = true;
    thread = std::move(thread_);
  }
  changed_.NotifyAll();
  if (thread.joinable()) thread.join();
}

void Deadlines::Loop() {
  for (;;) {
    {
      MutexLock lock(mutex_);
      while (!is_stopping_ && Clock::now() < next_) {
        if (next_ == kNever) {
          changed_.Wait(mutex_);
        } else {
          changed_.WaitUntil(mutex_, next_);
        }
      }
      if (is_stopping_) return;
      next_ = kNever;
    }
    const Clock::time_point next = look_();
    MutexLock lock(mutex_);
    next_ = std::min(next_, next);
  }
}

}  // namespace plumb::dist
