#include "fastpath/device/cancellation.h"

#include <thread>
#include <utility>

namespace plumb::fast {
namespace {
// The callback that this thread is in: it may deregister itself.
thread_local int64_t running_here = 0;
}  // namespace

int64_t Cancellation::Register(std::function<void()> callback) {
  std::lock_guard lock(mutex_);
  if (is_cancelled_) return 0;
  callbacks_.emplace(next_id_, std::move(callback));
  return next_id_++;
}

void Cancellation::Deregister(int64_t id) {
  std::unique_lock lock(mutex_);
  callbacks_.erase(id);
  if (running_here != id) ran_.wait(lock, [&] { return running_ != id || id == 0; });
}

void Cancellation::Cancel() {
  std::unique_lock lock(mutex_);
  if (std::exchange(is_cancelled_, true)) return;
  while (!callbacks_.empty()) {
    auto first = callbacks_.extract(callbacks_.begin());
    running_ = running_here = first.key();
    lock.unlock();
    first.mapped()();
    lock.lock();
    running_ = running_here = 0;
    ran_.notify_all();
  }
}

void Cancellation::Reset() {
  std::lock_guard lock(mutex_);
  is_cancelled_ = false;
}

}  // namespace plumb::fast
