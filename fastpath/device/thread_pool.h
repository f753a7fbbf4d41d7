// The one pool of threads of a session: nodes and the loops inside kernels run on it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "spec/core/choice_point.h"

namespace plumb::fast {

class ThreadPool {
 public:
  // `threads` counts the caller of a step too; 1 means that no thread is started. 0: one per core.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  // Calls body(begin, end) on chunks that cover [0, n). The chunks depend on n and `grain` only, never on the number of
  // threads, so results do not either. The caller works too; nested calls cannot deadlock. Throws what a body threw.
  template <class Body>
  void ParallelFor(int64_t n, int64_t grain, const Body& body) {
    if (!loop_in_chunks<Body>.Chosen(n > grain && n > 1)) {
      if (n > 0) body(int64_t{0}, n);
      return;
    }
    Run(
        n, grain,
        [](const void* context, int64_t begin, int64_t end) { (*static_cast<const Body*>(context))(begin, end); },
        &body);
  }

  // Queues a task; some thread of the pool (or one that waits in ParallelFor or RunOne) runs it.
  void Schedule(std::function<void()> task);
  // Queues a task that this thread is about to run itself, in HelpUntil: nobody is woken for it.
  void ScheduleHere(std::function<void()> task);
  // Runs one queued task on the calling thread, if there is one.
  bool RunOne();
  // Whether a thread is idle, so that handing over work pays: one waits, and fewer are at work than the pool has,
  // threads of the pool and those that are marked by AtWork. More than that would take each other's cores.
  bool HasIdleThread() const;

  // While it lives, the thread that made it counts as one at work, once however many it makes; so does one in HelpUntil
  // that has found some.
  class AtWork {
   public:
    explicit AtWork(ThreadPool& pool);
    ~AtWork();
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;

   private:
    ThreadPool& pool_;
    const void* const counted_before_;
  };

  // Works for the pool on the calling thread until done() holds. Whoever makes it hold calls WakeAll() afterwards.
  template <class Done>
  void HelpUntil(const Done& done) {
    Help([](const void* context) -> bool { return (*static_cast<const Done*>(context))(); }, &done);
  }
  void WakeAll();

 private:
  using RawBody = void (*)(const void* context, int64_t begin, int64_t end);
  void Run(int64_t n, int64_t grain, RawBody body, const void* context);
  using RawDone = bool (*)(const void* context);
  void Help(RawDone done, const void* context);

  struct Impl;
  int threads_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plumb::fast
