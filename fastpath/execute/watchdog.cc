#include "fastpath/execute/watchdog.h"

#include <algorithm>
#include <chrono>

#include "fastpath/execute/run_state.h"

namespace plumb::fast {

Watchdog::Alarm::~Alarm() {
  if (watchdog_ != nullptr) watchdog_->Disarm(id_);
}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Watchdog::Alarm Watchdog::Arm(int64_t timeout_ms, RunState& state) {
  if (timeout_ms <= 0) return Alarm();
  // A year is as good as for ever, and does not overflow.
  const auto timeout = std::chrono::milliseconds(std::min<int64_t>(timeout_ms, int64_t{365} * 24 * 3600 * 1000));
  std::lock_guard lock(mutex_);
  const int64_t id = next_id_++;
  armed_[id] = {Clock::now() + timeout, timeout_ms, &state};
  if (!thread_.joinable()) thread_ = std::thread([this] { ThreadMain(); });
  changed_.notify_all();
  return Alarm(this, id);
}

void Watchdog::Disarm(int64_t id) {
  std::unique_lock lock(mutex_);
  armed_.erase(id);
  changed_.wait(lock, [&] { return firing_ != id; });
}

void Watchdog::ThreadMain() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    const auto first = std::min_element(armed_.begin(), armed_.end(), [](const auto& a, const auto& b) {
      return a.second.deadline < b.second.deadline;
    });
    if (first == armed_.end()) {
      changed_.wait(lock);
    } else if (Clock::now() < first->second.deadline) {
      const Clock::time_point deadline = first->second.deadline;  // `first` may go while we wait
      changed_.wait_until(lock, deadline);
    } else {
      const Entry fired = first->second;
      firing_ = first->first;
      armed_.erase(first);
      lock.unlock();
      fired.state->TimeOut(fired.timeout_ms);
      lock.lock();
      firing_ = 0;
      changed_.notify_all();
    }
  }
}

}  // namespace plumb::fast
