// How a kernel that waits for something learns that its step was stopped.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <thread>

#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// Thread-safe. No callback runs under a lock.
class Cancellation {
 public:
  // Keeps `callback` until the step is stopped, then calls it once. Returns an id for Deregister, or 0 when the step is
  // stopped already: then the callback is not called.
  int64_t Register(std::function<void()> callback);
  // After this the callback does not run, nor is it running, unless it is the caller itself.
  void Deregister(int64_t id);

  // For the executor: stops the step; begins another one.
  void Cancel();
  void Reset();

 private:
  Mutex mutex_;
  CondVar ran_;
  std::map<int64_t, std::function<void()>> callbacks_ PLUMB_GUARDED_BY(mutex_);
  bool is_cancelled_ PLUMB_GUARDED_BY(mutex_) = false;
  int64_t next_id_ PLUMB_GUARDED_BY(mutex_) = 1;
  int64_t running_ PLUMB_GUARDED_BY(mutex_) = 0;         // the callback that runs now
  std::thread::id running_on_ PLUMB_GUARDED_BY(mutex_);  // the thread that it runs on
};

}  // namespace plumb::fast
