// Stops steps whose time is over (rule S4). One thread, started with the first deadline.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <thread>

#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class RunState;

class Watchdog {
 public:
  // Disarms when destroyed; after that the step is not touched any more.
  class Alarm {
   public:
    Alarm() = default;
    Alarm(Watchdog* watchdog, int64_t id) : watchdog_(watchdog), id_(id) {}
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;
    ~Alarm();

   private:
    Watchdog* watchdog_ = nullptr;
    int64_t id_ = 0;
  };

  Watchdog() = default;
  ~Watchdog();

  // After `timeout_ms` (0: never) the step fails with kDeadlineExceeded.
  Alarm Arm(int64_t timeout_ms, RunState& state);

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    Clock::time_point deadline;
    int64_t timeout_ms;
    RunState* state;
  };
  void Disarm(int64_t id);
  void ThreadMain();
  // The thread, if there is one, which ends then.
  std::thread Stop();

  Mutex mutex_;
  CondVar changed_;
  std::map<int64_t, Entry> armed_ PLUMB_GUARDED_BY(mutex_);
  // When the thread looks again by itself. Steps that end in time leave it asleep until then.
  Clock::time_point wakes_at_ PLUMB_GUARDED_BY(mutex_) = Clock::time_point::max();
  int64_t next_id_ PLUMB_GUARDED_BY(mutex_) = 1;
  int64_t firing_ PLUMB_GUARDED_BY(mutex_) = 0;  // the alarm whose step is being stopped
  bool stop_ PLUMB_GUARDED_BY(mutex_) = false;
  std::thread thread_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
