#include "fastpath/accelerator/queued_step.h"

namespace plumb::fast {

void QueuedStep::Begin() {
  MutexLock lock(mutex_);
  ++queued_;
}

void QueuedStep::Fail(const Status& status) {
  {
    MutexLock lock(mutex_);
    if (!first_failure_.ok() || status.ok()) return;
    first_failure_ = status;
  }
  failed_(status);
}

// Who is told hears of it before the work counts as ended.
void QueuedStep::End(const Status& status) {
  Fail(status);
  MutexLock lock(mutex_);
  if (--queued_ == 0) ended_.NotifyAll();
}

Status QueuedStep::status() const {
  MutexLock lock(mutex_);
  return first_failure_;
}

bool QueuedStep::is_idle() const {
  MutexLock lock(mutex_);
  return queued_ == 0;
}

Status QueuedStep::Await() const {
  MutexLock lock(mutex_);
  while (queued_ > 0) ended_.Wait(mutex_);
  return first_failure_;
}

}  // namespace plumb::fast
