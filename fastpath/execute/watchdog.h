// Stops steps whose time is over (rule S4). One thread, started with the first deadline that is kept by the clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <thread>
#include <utility>

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

  // Where steps may run in another time than the clock's: has `late` called in that time, once, on any thread, and not
  // after the watchdog has gone; or says that the calling thread's deadlines are kept by the clock (false).
  using OtherTime = std::function<bool(std::chrono::milliseconds timeout, std::function<void()> late)>;

  Watchdog() = default;
  explicit Watchdog(OtherTime other_time) : other_time_(std::move(other_time)) {}
  ~Watchdog();

  // After `timeout_ms` (0: never) the step fails with kDeadlineExceeded.
  Alarm Arm(int64_t timeout_ms, RunState& state);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point kNever = Clock::time_point::max();  // of one that is kept elsewhere
  struct Entry {
    Clock::time_point deadline;
    int64_t timeout_ms;
    RunState* state;
  };
  void Disarm(int64_t id);
  // Stops the step of the alarm, unless that is disarmed.
  void Fire(int64_t id) PLUMB_REQUIRES(mutex_);
  void ThreadMain();
  // The thread, if there is one, which ends then.
  std::thread Stop();

  const OtherTime other_time_;
  Mutex mutex_;
  CondVar changed_;
  std::map<int64_t, Entry> armed_ PLUMB_GUARDED_BY(mutex_);
  int64_t next_id_ PLUMB_GUARDED_BY(mutex_) = 1;
  std::set<int64_t> firing_ PLUMB_GUARDED_BY(mutex_);  // alarms whose steps are being stopped
  bool stop_ PLUMB_GUARDED_BY(mutex_) = false;
  std::thread thread_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
