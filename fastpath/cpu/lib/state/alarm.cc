#include "fastpath/cpu/lib/state/alarm.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "spec/core/thread_annotations.h"

namespace plumb::fast::cpu {
namespace {

class AlarmClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Key = std::pair<Time, int64_t>;

  AlarmClock() : thread_([this] { Run(); }) {}
  ~AlarmClock() {
    Stop();
    thread_.join();
  }
  AlarmClock(const AlarmClock&) = delete;
  AlarmClock& operator=(const AlarmClock&) = delete;

  int64_t Add(Time at, std::function<void()> ring) {
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

std::atomic<Alarm::Keep> other_time = nullptr;

}  // namespace

Alarm::Alarm(std::chrono::microseconds time, std::function<void()> ring) {
  constexpr std::chrono::microseconds kYear = std::chrono::hours(365 * 24);
  time = std::clamp(time, std::chrono::microseconds(0), kYear);
  if (const Keep keep = other_time.load()) {
    elsewhere_ = std::make_shared<std::function<void()>>(ring);
    const bool is_kept = keep(time, [weak = std::weak_ptr(elsewhere_)] {
      if (const auto alive = weak.lock()) (*alive)();
    });
    if (is_kept) return;
    elsewhere_ = nullptr;
  }
  at_ = std::chrono::steady_clock::now() + time;
  id_ = Clock().Add(at_, std::move(ring));
}

Alarm::~Alarm() {
  if (id_ != 0) Clock().Remove({at_, id_});
}

void Alarm::OfferTo(Keep keep) { other_time = keep; }

}  // namespace plumb::fast::cpu
