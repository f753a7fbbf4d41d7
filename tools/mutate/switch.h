// What a mutated source asks at run time: is this mutant on? Only build/mutate includes it (tools/mutate/README.md).
//
// PLUMB_MUTANT=17 turns mutant 17 on. PLUMB_MUTANT_TRACE=FILE turns none on, and notes in FILE the number of each one
// that is asked for.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <type_traits>

namespace plumb_mutant {

constexpr int kMost = 1 << 15;
constexpr int kTracing = -1;

inline int active = 0;

// Before any other constructor, in each file that asks: the initialisers of other objects may hold mutants.
__attribute__((constructor(101))) static void ReadEnvironment() {
  if (const char* number = std::getenv("PLUMB_MUTANT")) active = std::atoi(number);
  if (std::getenv("PLUMB_MUTANT_TRACE") != nullptr) active = kTracing;
}

inline void Note(int number) {
  static std::atomic<bool> noted[kMost];
  if (noted[number].load(std::memory_order_relaxed)) return;
  if (noted[number].exchange(true, std::memory_order_relaxed)) return;
  char line[16];
  const int length = std::snprintf(line, sizeof(line), "%d\n", number);
  const int file = open(std::getenv("PLUMB_MUTANT_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || write(file, line, static_cast<size_t>(length)) != length) std::abort();
  close(file);
}

__attribute__((cold, noinline)) inline bool IsSlow(int number) {
  if (active == kTracing) Note(number);
  return active == number;
}

inline bool Is(int number) { return __builtin_expect(active != 0, 0) && IsSlow(number); }

// In constexpr functions: the compiler computes with the original.
constexpr bool IsAtRunTime(int number) { return !std::is_constant_evaluated() && Is(number); }

// A lock that the mutant does not take, a MutexLock or a MutexLockIf. Whether two threads then trip over each other is
// chance, so it is enough that another one is in there, or holds the mutex, at the same time: the program aborts, as
// ThreadSanitizer would have it. A wait in there gives up a mutex that nobody holds, and comes back holding it: it
// aborts too. Where no other thread may come, there is no lock to leave out.
template <class Mutex>
class Guard {
 public:
  Guard(int number, Mutex& mutex, bool is_shared = true)
      : mutex_(mutex), is_shared_(is_shared), locks_(is_shared && !Is(number)) {
    if (locks_) {
      mutex_.lock();
    } else if (is_shared_) {
      RequireFree();
      if (Inside().exchange(&mutex_) == &mutex_) std::abort();
      static std::atomic<int> stays{0};
      if (stays.fetch_add(1) < 2000) usleep(200);
    }
  }
  ~Guard() {
    if (locks_) {
      mutex_.unlock();
    } else if (is_shared_) {
      RequireFree();
      Inside() = nullptr;
    }
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  void RequireFree() {
    if (!Plain().try_lock()) std::abort();
    Plain().unlock();
  }
  // plumb::Mutex (spec/core/thread_annotations.h) is a std::mutex and nothing else, and cannot be tried.
  auto& Plain() {
    if constexpr (requires { mutex_.try_lock(); }) {
      return mutex_;
    } else {
      static_assert(std::is_standard_layout_v<Mutex> && sizeof(Mutex) == sizeof(std::mutex));
      return reinterpret_cast<std::mutex&>(mutex_);
    }
  }
  // The mutex whose section somebody is in without it; two mutexes may share a place.
  std::atomic<void*>& Inside() {
    static std::atomic<void*> inside[251];
    return inside[reinterpret_cast<uintptr_t>(&mutex_) / 8 % 251];
  }

  Mutex& mutex_;
  const bool is_shared_;
  const bool locks_;
};

}  // namespace plumb_mutant
