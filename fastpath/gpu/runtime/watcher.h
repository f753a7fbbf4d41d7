// A thread that calls back when events have happened, in the order in which they were recorded on one stream. The
// runtime's own callbacks do not come any more once a device has failed.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "fastpath/gpu/runtime/events.h"
#include "spec/core/status.h"

namespace plumb::fast::GPU_NAMESPACE {

// Thread-safe. To be woken by the system costs tens of microseconds, which is more than a small copy takes: so the
// thread looks for a while by itself, at events that are to happen and, when one has, for the next one.
class Watcher {
 public:
  using Callback = std::function<void(const Status&)>;

  explicit Watcher(int device) : device_(device) {}
  // Returns when all that was asked for has been answered.
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  void Await(std::shared_ptr<CudaEvent> event, Callback callback);

 private:
  struct Wait {
    std::shared_ptr<CudaEvent> event;
    Callback callback;
  };

  void Stop();
  void ThreadMain();
  // The next one; without an event when there will be none.
  Wait Next();

  const int device_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<Wait> waits_ PLUMB_GUARDED_BY(mutex_);
  bool is_asleep_ PLUMB_GUARDED_BY(mutex_) = false;
  bool stop_ PLUMB_GUARDED_BY(mutex_) = false;
  std::atomic<int64_t> news_{0};  // counts what a thread that looks by itself should see
  std::thread thread_;            // started under the lock, joined by the owner
};

}  // namespace plumb::fast::GPU_NAMESPACE
