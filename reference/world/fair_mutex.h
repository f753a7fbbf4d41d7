// A mutex that lets threads in in the order in which they came.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace plumb::reference {

class FairMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const uint64_t ticket = next_++;
    turn_.wait(lock, [&] { return serving_ == ticket; });
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      ++serving_;
    }
    turn_.notify_all();
  }
  // For the thread that holds it: how many others wait for it.
  uint64_t waiters() const { return next_ - serving_ - 1; }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  std::atomic<uint64_t> next_{0};
  uint64_t serving_ = 0;
};

}  // namespace plumb::reference
