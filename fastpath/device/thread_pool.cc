#include "fastpath/device/thread_pool.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include <strings.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "fastpath/device/kept_tasks.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {
namespace {

using Clock = std::chrono::steady_clock;

// The pool whose tasks the thread keeps, and whether some were left to it.
thread_local const ThreadPool* keeps_tasks_of = nullptr;
thread_local bool has_kept_tasks = false;
// The pool among whose threads at work this one is counted.
thread_local const void* is_at_work_in = nullptr;

constexpr int64_t kMaxChunks = 256;  // per loop, so that claiming chunks stays cheap

// How long a thread looks at the work counter before it goes to sleep, and how often between two looks at the clock: a
// pause takes from ten to 140 cycles, by the processor. OMP_WAIT_POLICY=passive in the environment lets it sleep at
// once, as OpenMP's threads then do: for processes that share the cores.
std::chrono::microseconds SpinTime() {
  constexpr std::chrono::microseconds kSpin{50};
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  return policy != nullptr && strcasecmp(policy, "passive") == 0 ? std::chrono::microseconds(0) : kSpin;
}
constexpr int kLooksAtOnce = 16;

// Tells the core that this thread only looks, so that its other half may work.
inline void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__) || defined(__arm__)
  asm volatile("yield");
#endif
}

}  // namespace

struct ThreadPool::Impl {
  // A loop whose chunks are claimed one by one by whoever is free. It lives on the stack of the thread that waits for
  // it.
  class Loop {
   public:
    Loop(int64_t n, int64_t grain, RawBody body, const void* context)
        : body_(body),
          context_(context),
          n_(n),
          chunk_(std::max({grain, int64_t{1}, (n - 1) / kMaxChunks + 1})),
          chunks_((n - 1) / chunk_ + 1) {}

    int64_t chunks() const { return chunks_; }
    bool Exhausted() const { return next_.load(std::memory_order_relaxed) >= chunks_; }

    void Work() {
      for (;;) {
        const int64_t claimed = next_.fetch_add(1, std::memory_order_relaxed);
        if (claimed >= chunks_) return;
        const int64_t begin = claimed * chunk_;
        try {
          body_(context_, begin, std::min(n_, begin + chunk_));
        } catch (const std::exception&) {
          Record(claimed);
        }
      }
    }
    // Called when nobody else works on it.
    void Rethrow() {
      MutexLock lock(error_mutex_);
      if (error_ != nullptr) std::rethrow_exception(error_);
    }

   private:
    friend struct Impl;
    // The first failing chunk's error is the loop's, whichever thread met it.
    void Record(int64_t claimed) {
      MutexLock lock(error_mutex_);
      if (failed_chunk_ >= 0 && failed_chunk_ < claimed) return;
      failed_chunk_ = claimed;
      error_ = std::current_exception();
    }

    const RawBody body_;
    const void* const context_;
    const int64_t n_;
    const int64_t chunk_;
    const int64_t chunks_;
    std::atomic<int64_t> next_{0};
    int helpers_ = 0;  // Impl::HelpersOf
    Mutex error_mutex_;
    int64_t failed_chunk_ PLUMB_GUARDED_BY(error_mutex_) = -1;
    std::exception_ptr error_ PLUMB_GUARDED_BY(error_mutex_);
  };

  Mutex mutex;
  CondVar wake;       // work came, a HelpUntil may be done, or stop
  CondVar loop_left;  // a helper left a loop
  std::deque<std::function<void()>> tasks PLUMB_GUARDED_BY(mutex);
  std::vector<Loop*> loops PLUMB_GUARDED_BY(mutex);  // open loops, innermost last
  int helpers_asleep PLUMB_GUARDED_BY(mutex) = 0;    // in HelpUntil
  bool stop PLUMB_GUARDED_BY(mutex) = false;
  std::atomic<int64_t> news{0};  // counts everything that a spinning thread should look at
  std::atomic<int> idle;         // and those not started yet
  std::atomic<int> at_work{0};   // of the pool's threads and those that AtWork marks
  std::atomic<int> untold{0};    // open loops that nobody was told of, because all cores were at work
  const int most_started;        // one less than all: a caller is one, too
  const std::chrono::microseconds spin_time = SpinTime();
  int unstarted PLUMB_GUARDED_BY(mutex);
  std::vector<std::thread> threads PLUMB_GUARDED_BY(mutex);

  explicit Impl(int threads_to_start)
      : idle(threads_to_start), most_started(threads_to_start), unstarted(threads_to_start) {}

  // Threads start with the first work for them: most sessions of one small step never need any. Where the system gives
  // no more of them, the pool works with those that it has.
  void StartThreads() PLUMB_REQUIRES(mutex) {
    try {
      for (; unstarted > 0; --unstarted) threads.emplace_back([this] { ThreadMain(); });
    } catch (const std::system_error&) {
      idle.fetch_sub(std::exchange(unstarted, 0), std::memory_order_relaxed);
    }
  }

  // How many threads other than the owner may touch the loop: the pool's lock guards it, because it must agree with
  // `loops`.
  int& HelpersOf(Loop& loop) PLUMB_REQUIRES(mutex) { return loop.helpers_; }

  // Does one piece of work; false when there is none. The lock is given up meanwhile. `wakes`: whether somebody else is
  // told of the tasks behind it.
  bool WorkOnce(bool wakes = false) PLUMB_REQUIRES(mutex) {
    while (!loops.empty() && loops.back()->Exhausted()) loops.pop_back();
    if (!loops.empty()) {
      HelpLoop(*loops.back());
      return true;
    }
    if (tasks.empty()) return false;
    auto task = std::move(tasks.front());
    tasks.pop_front();
    if (wakes && !tasks.empty()) {
      StartThreads();
      Announce();
      wake.NotifyOne();
    }
    MutexUnlock unlocked(mutex);
    task();
    task = nullptr;
    return true;
  }

  void HelpLoop(Loop& loop) PLUMB_REQUIRES(mutex) {
    ++HelpersOf(loop);
    {
      MutexUnlock unlocked(mutex);
      loop.Work();
    }
    if (--HelpersOf(loop) == 0) loop_left.NotifyAll();
  }

  bool IsFull() const { return at_work.load(std::memory_order_seq_cst) > most_started; }

  // Not where all cores are at work: it would be one of them that looks.
  void Spin(int64_t seen, Clock::time_point end) const {
    while (!IsFull() && Clock::now() < end) {
      for (int look = 0; look < kLooksAtOnce; ++look) {
        if (news.load(std::memory_order_acquire) != seen) return;
        Pause();
      }
    }
  }

  // Spins, then sleeps, until there is news since `seen`. `spins_until`: reset by who finds work; others' news does not
  // keep a thread awake. `helps`: in HelpUntil.
  void Idle(int64_t seen, Clock::time_point spins_until, bool helps = false) PLUMB_REQUIRES(mutex) {
    idle.fetch_add(1, std::memory_order_relaxed);
    at_work.fetch_sub(1, std::memory_order_seq_cst);
    {
      MutexUnlock unlocked(mutex);
      Spin(seen, spins_until);
    }
    const int helper = helps ? 1 : 0;
    helpers_asleep += helper;
    while (news.load(std::memory_order_relaxed) == seen) wake.Wait(mutex);
    helpers_asleep -= helper;
    at_work.fetch_add(1, std::memory_order_seq_cst);
    idle.fetch_sub(1, std::memory_order_relaxed);
  }

  // Called with the lock held, so that a thread that is about to sleep sees it.
  void Announce() PLUMB_REQUIRES(mutex) { news.fetch_add(1, std::memory_order_release); }

  void ThreadMain() {
    is_at_work_in = this;
    at_work.fetch_add(1, std::memory_order_seq_cst);
    idle.fetch_sub(1, std::memory_order_relaxed);
    MutexLock lock(mutex);
    auto spins_until = Clock::now() + spin_time;
    while (!stop) {
      const int64_t seen = news.load(std::memory_order_relaxed);
      if (WorkOnce()) {
        spins_until = Clock::now() + spin_time;
      } else {
        Idle(seen, spins_until);
      }
    }
  }

  // The threads, which end then.
  std::vector<std::thread> Stop() {
    MutexLock lock(mutex);
    stop = true;
    Announce();
    wake.NotifyAll();
    return std::exchange(threads, {});
  }

  bool HasIdleThread() const { return idle.load(std::memory_order_relaxed) > 0 && !IsFull(); }

  // True when the idle threads are told of it. While all cores are at work it is found by who looks for work anyway,
  // and told by the first of AtWork to leave.
  bool Open(Loop& loop) {
    {
      MutexLock lock(mutex);
      StartThreads();
      loops.push_back(&loop);
      untold.fetch_add(1, std::memory_order_seq_cst);  // before the look: who leaves looks the other way round
      if (!HasIdleThread()) return false;
      untold.fetch_sub(1, std::memory_order_relaxed);
      Announce();
    }
    wake.NotifyAll();  // who wakes finds the lock free
    return true;
  }
  // Waits until the helpers have left.
  void Close(Loop& loop, bool is_told) {
    MutexLock lock(mutex);
    if (!is_told) untold.fetch_sub(1, std::memory_order_relaxed);
    std::erase(loops, &loop);
    while (HelpersOf(loop) > 0) loop_left.Wait(mutex);
  }

  void Leave() {
    const bool was_full = at_work.fetch_sub(1, std::memory_order_seq_cst) > most_started;
    if (!was_full || untold.load(std::memory_order_seq_cst) == 0) return;
    {
      MutexLock lock(mutex);
      Announce();
    }
    wake.NotifyAll();
  }
};

ThreadPool::ThreadPool(int threads)
    : threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      impl_(std::make_unique<Impl>(threads_ - 1)) {}

ThreadPool::~ThreadPool() {
  for (std::thread& thread : impl_->Stop()) thread.join();
}

void ThreadPool::Run(int64_t n, int64_t grain, RawBody body, const void* context) {
  Impl::Loop loop(n, grain, body, context);
  const bool share = threads_ > 1 && loop.chunks() > 1;
  const bool is_told = share && impl_->Open(loop);
  loop.Work();
  if (share) impl_->Close(loop, is_told);
  loop.Rethrow();
}

void ThreadPool::Schedule(std::function<void()> task) {
  const bool is_kept = keeps_tasks_of == this;
  {
    MutexLock lock(impl_->mutex);
    impl_->tasks.push_back(std::move(task));
    if (!is_kept) {
      impl_->StartThreads();
      impl_->Announce();
    }
  }
  if (is_kept) {
    has_kept_tasks = true;
  } else {
    impl_->wake.NotifyOne();
  }
}

void ThreadPool::ScheduleHere(std::function<void()> task) {
  MutexLock lock(impl_->mutex);
  impl_->tasks.push_back(std::move(task));
}

bool ThreadPool::RunOne() {
  const bool wakes = keeps_tasks_of == this && std::exchange(has_kept_tasks, false);
  // Meanwhile this thread is at work, and what it schedules is for whoever is free.
  const ThreadPool* const kept = std::exchange(keeps_tasks_of, nullptr);
  MutexLock lock(impl_->mutex);
  const bool any = impl_->WorkOnce(wakes);
  keeps_tasks_of = kept;
  return any;
}

KeptTasks::KeptTasks(ThreadPool& pool) : pool_(pool) { keeps_tasks_of = &pool; }

KeptTasks::~KeptTasks() {
  keeps_tasks_of = nullptr;
  if (std::exchange(has_kept_tasks, false)) pool_.WakeAll();
}

bool ThreadPool::HasIdleThread() const { return impl_->HasIdleThread(); }

ThreadPool::AtWork::AtWork(ThreadPool& pool)
    : pool_(pool), counted_before_(std::exchange(is_at_work_in, pool.impl_.get())) {
  if (counted_before_ != is_at_work_in) pool_.impl_->at_work.fetch_add(1, std::memory_order_seq_cst);
}

ThreadPool::AtWork::~AtWork() {
  const void* const counted = std::exchange(is_at_work_in, counted_before_);
  if (counted != counted_before_) pool_.impl_->Leave();
}

void ThreadPool::Help(RawDone done, const void* context) {
  const AtWork at_work(*this);
  MutexLock lock(impl_->mutex);
  auto spins_until = Clock::now() + impl_->spin_time;
  while (!done(context)) {
    const int64_t seen = impl_->news.load(std::memory_order_relaxed);
    if (impl_->WorkOnce()) {
      spins_until = Clock::now() + impl_->spin_time;
    } else if (!done(context)) {
      impl_->Idle(seen, spins_until, true);
    }
  }
}

void ThreadPool::WakeAll() {
  const bool runs_them_itself = keeps_tasks_of == this && has_kept_tasks;
  bool anybody;
  {
    MutexLock lock(impl_->mutex);
    const bool has_work = !impl_->tasks.empty() && !runs_them_itself;
    if (has_work) impl_->StartThreads();
    impl_->Announce();
    anybody = impl_->helpers_asleep > 0 || has_work;
  }
  if (anybody) impl_->wake.NotifyAll();
}

}  // namespace plumb::fast
