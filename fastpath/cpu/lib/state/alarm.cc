#include "fastpath/cpu/lib/state/alarm.h"

#include <algorithm>
#include <map>
#include <thread>

#include "spec/core/thread_annotations.h"

namespace plumb::fast::cpu {
namespace {

class AlarmClock {
 public:
  using Key = std::pair<Alarm::Time, int64_t>;

  AlarmClock() : thread_([this] { Run(); }) {}
  ~AlarmClock() {
    Stop();
    thread_.join();
  }
  AlarmClock(const AlarmClock&) = delete;
  AlarmClock& operator=(const AlarmClock&) = delete;

  int64_t Add(Alarm::Time at, std::function<void()> ring) {
    MutexLock lock(mutex_);
    alarms_.emplace(Key(at, ++last_id_), std::move(ring));
    changed_.NotifyAll();
    return last_id_;
  }
  void Remove(const Key& key) {
    std::function<void()> ring;  // destroyed when the lock is released
    MutexLock lock(mutex_);
    const auto found = alarms_.find(key);
    if (found == alarms_.end()) return;
    ring = std::move(found->second);
    alarms_.erase(found);
  }

 private:
  void Stop() {
    MutexLock lock(mutex_);
    is_stopped_ = true;
    changed_.NotifyAll();
  }
  void Run() {
    while (true) {
      std::function<void()> ring;
      {
        MutexLock lock(mutex_);
        while (!is_stopped_ && (alarms_.empty() || alarms_.begin()->first.first > std::chrono::steady_clock::now())) {
          if (alarms_.empty()) {
            changed_.Wait(mutex_);
          } else {
            changed_.WaitUntil(mutex_, alarms_.begin()->first.first);
          }
        }
        if (is_stopped_) return;
        ring = std::move(alarms_.begin()->second);
        alarms_.erase(alarms_.begin());
      }
      ring();
    }
  }

  Mutex mutex_;
  CondVar changed_;
  std::map<Key, std::function<void()>> alarms_ PLUMB_GUARDED_BY(mutex_);
  int64_t last_id_ PLUMB_GUARDED_BY(mutex_) = 0;
  bool is_stopped_ PLUMB_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // the last: it uses all others
};

AlarmClock& Clock() {
  static AlarmClock clock;
  return clock;
}

}  // namespace

Alarm::Alarm(Time at, std::function<void()> ring) : at_(at), id_(Clock().Add(at, std::move(ring))) {}

Alarm::~Alarm() {
  if (id_ != 0) Clock().Remove({at_, id_});
}

Alarm::Time InMicroseconds(int64_t microseconds) {
  constexpr int64_t kYear = int64_t{365} * 24 * 3600 * 1'000'000;
  return std::chrono::steady_clock::now() + std::chrono::microseconds(std::clamp<int64_t>(microseconds, 0, kYear));
}

}  // namespace plumb::fast::cpu
