#include "fastpath/device/cancellation.h"

#include <utility>

namespace plumb::fast {

int64_t Cancellation::Register(std::function<void()> callback) {
  std::lock_guard lock(mutex_);
  if (is_cancelled_) return 0;
  callbacks_.emplace(next_id_, std::move(callback));
  return next_id_++;
}

void Cancellation::Deregister(int64_t id) {
  std::unique_lock lock(mutex_);
  callbacks_.erase(id);
  const bool is_running_here = running_on_ == std::this_thread::get_id();  // it may deregister itself
  if (id != 0 && !is_running_here) ran_.wait(lock, [&] { return running_ != id; });
}

void Cancellation::Cancel() {
  std::unique_lock lock(mutex_);
  if (std::exchange(is_cancelled_, true)) return;
  while (!callbacks_.empty()) {
    auto first = callbacks_.extract(callbacks_.begin());
    running_ = first.key();
    running_on_ = std::this_thread::get_id();
    lock.unlock();
    first.mapped()();
    lock.lock();
    running_ = 0;
    running_on_ = {};
    ran_.notify_all();
  }
}

void Cancellation::Reset() {
  std::lock_guard lock(mutex_);
  is_cancelled_ = false;
}

}  // namespace plumb::fast
