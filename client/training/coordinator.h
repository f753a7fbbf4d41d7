// Threads that work beside a training loop, and how all of them end together.
//
//   Coordinator coordinator;
//   for (const QueueRunnerNodes& runner : meta.queue_runners) StartQueueRunner(runner, *session, coordinator);
//   while (!coordinator.should_stop()) … a step; on kOutOfRange coordinator.RequestStop() …
//   Status status = coordinator.Join();
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "spec/core/status.h"
#include "spec/core/thread_annotations.h"

namespace plumb {

class Coordinator {
 public:
  Coordinator() = default;
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;
  // Stops and joins.
  ~Coordinator();

  // Runs `body` on a thread of its own. It has to end some time after should_stop() is true.
  void Start(std::function<void()> body);
  // Called once, on the thread that asks for the stop, or at once if that has happened: wakes what waits.
  void OnStop(std::function<void()> wake);

  // All threads are to end. The first reason that is not OK is what Join returns; kOutOfRange, the end of the data, is
  // as good as OK. Later reasons are the consequences of the first.
  void RequestStop(const Status& reason = OkStatus());
  bool should_stop() const;
  // Until somebody asks for a stop.
  void WaitForStop() const;

  // Waits for a stop and for all threads, and says why they stopped.
  Status Join();

 private:
  mutable Mutex mutex_;
  mutable CondVar stops_;
  bool stopped_ PLUMB_GUARDED_BY(mutex_) = false;
  Status reason_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::function<void()>> wakes_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb
