// What tools/check_locks.py must catch: the lines that say so, and no others.
#include "spec/core/thread_annotations.h"

namespace plumb {

class Counter {
 public:
  int Locked() {
    MutexLock lock(mutex_);
    return count_;
  }
  int Unlocked() { return count_; }  // caught
  void Increment() { ++count_; }     // caught
  void IncrementLocked() PLUMB_REQUIRES(mutex_) { ++count_; }
  void CallWithoutLock() {
    IncrementLocked();  // caught
  }
  void TouchWhileGivenUp() {
    MutexLock lock(mutex_);
    MutexUnlock unlocked(mutex_);
    ++count_;  // caught
  }
  void WaitForOne() {
    MutexLock lock(mutex_);
    while (count_ == 0) changed_.Wait(mutex_);
  }
  void WaitWithoutLock() {
    changed_.Wait(mutex_);  // caught
  }
  void LockWhereShared(bool is_shared) {
    MutexLockIf lock(mutex_, is_shared);
    ++count_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int count_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb
