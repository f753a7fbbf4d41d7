// A thread that looks when something may be due.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "spec/core/thread_annotations.h"

namespace plumb::dist {

class Deadlines {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point kNever = Clock::time_point::max();

  // `look` does what is due, and says when it wants to be called next. It is called from the thread, under no lock.
  explicit Deadlines(std::function<Clock::time_point()> look) : look_(std::move(look)) {}
  ~Deadlines() { Stop(); }

  // Looks then, or earlier. Starts the thread when it is first needed.
  void Expect(Clock::time_point time);
  // Ends the thread. Not from the thread itself.
  void Stop();

 private:
  void Loop();

  const std::function<Clock::time_point()> look_;
  Mutex mutex_;
  CondVar changed_;
  Clock::time_point next_ PLUMB_GUARDED_BY(mutex_) = kNever;
  bool is_stopping_ PLUMB_GUARDED_BY(mutex_) = false;
  std::thread thread_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
