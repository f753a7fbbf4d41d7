#include "fastpath/device/cancellation.h"

#include <utility>

namespace plumb::fast {

int64_t Cancellation::Register(std::function<void()> callback) {
  MutexLock lock(mutex_);
  if (is_cancelled_) return 0;
  callbacks_.emplace(next_id_, std::move(callback));
  return next_id_++;
}

void Cancellation::Deregister(int64_t id) {
  MutexLock lock(mutex_);
  callbacks_.erase(id);
  const bool is_running_here = running_on_ == std::this_thread::get_id();  // it may deregister itself
  while (id != 0 && !is_running_here && running_ == id) ran_.Wait(mutex_);
}

void Cancellation::Cancel() {
  MutexLock lock(mutex_);
  if (std::exchange(is_cancelled_, true)) return;
  while (!callbacks_.empty()) {
    auto first = callbacks_.extract(callbacks_.begin());
    running_ = first.key();
    running_on_ = std::this_thread::get_id();
    {
      MutexUnlock unlocked(mutex_);
      first.mapped()();
    }
    running_ = 0;
    running_on_ = {};
    ran_.NotifyAll();
  }
}

void Cancellation::Reset() {
  MutexLock lock(mutex_);
  is_cancelled_ = false;
}

}  // namespace plumb::fast
