#include "fastpath/sim/sim_step.h"

namespace plumb::fast {

void SimStep::Begin() {
  MutexLock lock(mutex_);
  ++queued_;
}

// Who is told hears of it before the work counts as ended.
void SimStep::End(const Status& status) {
  bool is_first = false;
  {
    MutexLock lock(mutex_);
    is_first = first_failure_.ok() && !status.ok();
    if (is_first) first_failure_ = status;
  }
  if (is_first) failed_(status);
  MutexLock lock(mutex_);
  if (--queued_ == 0) ended_.NotifyAll();
}

Status SimStep::status() const {
  MutexLock lock(mutex_);
  return first_failure_;
}

bool SimStep::is_idle() const {
  MutexLock lock(mutex_);
  return queued_ == 0;
}

Status SimStep::Await() const {
  MutexLock lock(mutex_);
  while (queued_ > 0) ended_.Wait(mutex_);
  return first_failure_;
}

}  // namespace plumb::fast
