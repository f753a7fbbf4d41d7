#include "fastpath/execute/watchdog.h"

#include <algorithm>
#include <chrono>

#include "fastpath/execute/run_state.h"

namespace plumb::fast {

Watchdog::Alarm::~Alarm() {
  if (watchdog_ != nullptr) watchdog_->Disarm(id_);
}

Watchdog::~Watchdog() {
  std::thread thread = Stop();
  if (thread.joinable()) thread.join();
}

std::thread Watchdog::Stop() {
  MutexLock lock(mutex_);
  stop_ = true;
  changed_.NotifyAll();
  return std::move(thread_);
}

Watchdog::Alarm Watchdog::Arm(int64_t timeout_ms, RunState& state) {
  if (timeout_ms <= 0) return Alarm();
  // A year is as good as for ever, and does not overflow.
  const auto timeout = std::chrono::milliseconds(std::min<int64_t>(timeout_ms, int64_t{365} * 24 * 3600 * 1000));
  MutexLock lock(mutex_);
  const int64_t id = next_id_++;
  const Clock::time_point deadline = Clock::now() + timeout;
  if (!thread_.joinable()) thread_ = std::thread([this] { ThreadMain(); });  // where there is none, nothing is armed
  armed_[id] = {deadline, timeout_ms, &state};
  if (deadline < wakes_at_) changed_.NotifyAll();
  return Alarm(this, id);
}

void Watchdog::Disarm(int64_t id) {
  MutexLock lock(mutex_);
  armed_.erase(id);
  while (firing_ == id) changed_.Wait(mutex_);
}

void Watchdog::ThreadMain() {
  MutexLock lock(mutex_);
  while (!stop_) {
    const auto first = std::min_element(armed_.begin(), armed_.end(), [](const auto& a, const auto& b) {
      return a.second.deadline < b.second.deadline;
    });
    wakes_at_ = first == armed_.end() ? Clock::time_point::max() : first->second.deadline;
    if (first == armed_.end()) {
      changed_.Wait(mutex_);
    } else if (Clock::now() < wakes_at_) {
      changed_.WaitUntil(mutex_, Clock::time_point(wakes_at_));
    } else {
      const Entry fired = first->second;
      firing_ = first->first;
      armed_.erase(first);
      {
        MutexUnlock unlocked(mutex_);
        fired.state->TimeOut(fired.timeout_ms);
      }
      firing_ = 0;
      changed_.NotifyAll();
    }
  }
}

}  // namespace plumb::fast
