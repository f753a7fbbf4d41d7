// What an accelerator has been given to do for one step, and what became of it.
#pragma once

#include "fastpath/device/device.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// Thread-safe.
class QueuedStep {
 public:
  // `failed`: as in Device::BeginStep.
  explicit QueuedStep(Device::WorkDone failed) : failed_(std::move(failed)) {}
  virtual ~QueuedStep() = default;

  // A piece of work is queued, and has ended.
  void Begin();
  void End(const Status& status);
  // A failure of a piece of work that others wait for.
  void Fail(const Status& status);
  // Its first failure so far.
  Status status() const;
  virtual bool is_idle() const;
  // Returns when all that began has ended.
  Status Await() const;

 private:
  const Device::WorkDone failed_;
  mutable Mutex mutex_;
  mutable CondVar ended_;
  int queued_ PLUMB_GUARDED_BY(mutex_) = 0;
  Status first_failure_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
