// A mutex that lets threads in in the order in which they came.
#pragma once

#include <atomic>
#include <cstdint>

#include "spec/core/thread_annotations.h"

namespace plumb::reference {

class FairMutex {
 public:
  void lock() {
    MutexLock lock(mutex_);
    const uint64_t ticket = next_++;
    while (serving_ != ticket) turn_.Wait(mutex_);
  }
  void unlock() {
    {
      MutexLock lock(mutex_);
      ++serving_;
    }
    turn_.NotifyAll();
  }
  // For the thread that holds it: how many others wait for it.
  uint64_t waiters() const { return next_ - serving_ - 1; }

 private:
  Mutex mutex_;
  CondVar turn_;
  std::atomic<uint64_t> next_{0};
  std::atomic<uint64_t> serving_{0};  // written under the mutex
};

}  // namespace plumb::reference
