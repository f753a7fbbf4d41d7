// Which lock guards what, said so that clang can check it: -Wthread-safety, over every file that says it, is one of the
// checks of `./dev test` (tools/check_locks.py).
//
//   Mutex mutex_;
//   int count_ PLUMB_GUARDED_BY(mutex_) = 0;
//   void Grow() PLUMB_REQUIRES(mutex_);  // called with the lock held
//
// std::mutex has no such annotations in libstdc++, so Mutex, MutexLock and CondVar stand for it, at the same cost.
// A wait is written as a loop, because clang does not know in which state of the locks a predicate is called:
//   while (count_ == 0) changed_.Wait(mutex_);
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define PLUMB_THREAD_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#else
#define PLUMB_THREAD_ATTRIBUTE(...)
#endif

// On a member: touched only while that mutex is held.
#define PLUMB_GUARDED_BY(mutex) PLUMB_THREAD_ATTRIBUTE(guarded_by(mutex))
// On a function: called while they are held; called while they are not.
#define PLUMB_REQUIRES(...) PLUMB_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define PLUMB_EXCLUDES(...) PLUMB_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
// On a function: it holds them, or no longer, when it returns.
#define PLUMB_ACQUIRE(...) PLUMB_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define PLUMB_RELEASE(...) PLUMB_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
// On a function that clang cannot follow; a comment says what makes it right.
#define PLUMB_NO_THREAD_SAFETY_ANALYSIS PLUMB_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace plumb {

class PLUMB_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // Named as in the standard, so that its locks take a Mutex too.
  void lock() PLUMB_ACQUIRE() { mutex_.lock(); }
  void unlock() PLUMB_RELEASE() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class PLUMB_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) PLUMB_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() PLUMB_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Locks only where other threads may come. Where none can, the caller has what the mutex guards to itself, and that
// counts as holding it.
class PLUMB_THREAD_ATTRIBUTE(scoped_lockable) MutexLockIf {
 public:
  MutexLockIf(Mutex& mutex, bool is_shared) PLUMB_ACQUIRE(mutex) PLUMB_NO_THREAD_SAFETY_ANALYSIS
      : mutex_(is_shared ? &mutex : nullptr) {
    if (mutex_ != nullptr) mutex_->lock();
  }
  ~MutexLockIf() PLUMB_RELEASE() PLUMB_NO_THREAD_SAFETY_ANALYSIS {
    if (mutex_ != nullptr) mutex_->unlock();
  }
  MutexLockIf(const MutexLockIf&) = delete;
  MutexLockIf& operator=(const MutexLockIf&) = delete;

 private:
  Mutex* const mutex_;
};

// Gives a held mutex up for as long as it lives.
class PLUMB_THREAD_ATTRIBUTE(scoped_lockable) MutexUnlock {
 public:
  explicit MutexUnlock(Mutex& mutex) PLUMB_RELEASE(mutex) : mutex_(mutex) { mutex_.unlock(); }
  ~MutexUnlock() PLUMB_RELEASE() PLUMB_NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex& mutex_;
};

class CondVar {
 public:
  // The mutex is given up while the thread waits. It may wake for no reason.
  void Wait(Mutex& mutex) PLUMB_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  template <class Clock, class Duration>
  void WaitUntil(Mutex& mutex, const std::chrono::time_point<Clock, Duration>& time) PLUMB_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait_until(lock, time);
    lock.release();
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace plumb
