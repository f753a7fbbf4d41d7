#include "fastpath/device/thread_pool.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace plumb::fast {
namespace {

constexpr int64_t kMaxChunks = 256;  // per loop, so that claiming chunks stays cheap
constexpr int kSpins = 2000;         // looks at the work counter before a thread goes to sleep: some 20 us

// Tells the core that this thread only looks, so that its other half may work.
inline void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__) || defined(__arm__)
  asm volatile("yield");
#endif
}

// A loop whose chunks are claimed one by one by whoever is free. It lives on the stack of the thread that waits for it.
struct Loop {
  void (*body)(const void*, int64_t, int64_t);
  const void* context;
  int64_t n;
  int64_t chunk;
  int64_t chunks;
  std::atomic<int64_t> next{0};
  int helpers = 0;  // GUARDED_BY(Impl::mutex): threads other than the owner that may touch this loop
  std::mutex error_mutex;
  int64_t failed_chunk = -1;  // GUARDED_BY(error_mutex)
  std::exception_ptr error;   // GUARDED_BY(error_mutex)

  bool Exhausted() const { return next.load(std::memory_order_relaxed) >= chunks; }

  void Work() {
    for (;;) {
      const int64_t claimed = next.fetch_add(1, std::memory_order_relaxed);
      if (claimed >= chunks) return;
      const int64_t begin = claimed * chunk;
      try {
        body(context, begin, std::min(n, begin + chunk));
      } catch (const std::exception&) {
        Record(claimed);
      }
    }
  }
  // The first failing chunk's error is the loop's, whichever thread met it.
  void Record(int64_t claimed) {
    std::lock_guard lock(error_mutex);
    if (failed_chunk >= 0 && failed_chunk < claimed) return;
    failed_chunk = claimed;
    error = std::current_exception();
  }
};

}  // namespace

struct ThreadPool::Impl {
  std::mutex mutex;
  std::condition_variable wake;             // work came, a HelpUntil may be done, or stop
  std::condition_variable loop_left;        // a helper left a loop
  std::deque<std::function<void()>> tasks;  // GUARDED_BY(mutex)
  std::vector<Loop*> loops;                 // GUARDED_BY(mutex): open loops, innermost last
  bool stop = false;                        // GUARDED_BY(mutex)
  std::atomic<int64_t> news{0};             // counts everything that a spinning thread should look at
  std::atomic<int> idle{0};
  std::vector<std::thread> threads;

  // Does one piece of work; false when there is none. Called and left with the lock held.
  bool WorkOnce(std::unique_lock<std::mutex>& lock) {
    while (!loops.empty() && loops.back()->Exhausted()) loops.pop_back();
    if (!loops.empty()) {
      HelpLoop(*loops.back(), lock);
      return true;
    }
    if (tasks.empty()) return false;
    auto task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
    return true;
  }

  void HelpLoop(Loop& loop, std::unique_lock<std::mutex>& lock) {
    ++loop.helpers;
    lock.unlock();
    loop.Work();
    lock.lock();
    if (--loop.helpers == 0) loop_left.notify_all();
  }

  // Spins, then sleeps, until there is news since `seen`.
  void Idle(std::unique_lock<std::mutex>& lock, int64_t seen) {
    idle.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    for (int spin = 0; spin < kSpins && news.load(std::memory_order_acquire) == seen; ++spin) Pause();
    lock.lock();
    wake.wait(lock, [&] { return news.load(std::memory_order_relaxed) != seen; });
    idle.fetch_sub(1, std::memory_order_relaxed);
  }

  // Called with the lock held, so that a thread that is about to sleep sees it.
  void Announce() { news.fetch_add(1, std::memory_order_release); }

  void ThreadMain() {
    std::unique_lock lock(mutex);
    while (!stop) {
      const int64_t seen = news.load(std::memory_order_relaxed);
      if (!WorkOnce(lock)) Idle(lock, seen);
    }
  }
};

ThreadPool::ThreadPool(int threads)
    : threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      impl_(std::make_unique<Impl>()) {
  for (int i = 1; i < threads_; ++i) impl_->threads.emplace_back([this] { impl_->ThreadMain(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->stop = true;
    impl_->Announce();
  }
  impl_->wake.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

void ThreadPool::Run(int64_t n, int64_t grain, RawBody body, const void* context) {
  Loop loop;
  loop.body = body;
  loop.context = context;
  loop.n = n;
  loop.chunk = std::max({grain, int64_t{1}, (n - 1) / kMaxChunks + 1});
  loop.chunks = (n - 1) / loop.chunk + 1;
  const bool share = threads_ > 1 && loop.chunks > 1;
  if (share) {
    {
      std::lock_guard lock(impl_->mutex);
      impl_->loops.push_back(&loop);
      impl_->Announce();
    }
    if (HasIdleThread()) impl_->wake.notify_all();
  }
  loop.Work();
  if (share) {
    std::unique_lock lock(impl_->mutex);
    std::erase(impl_->loops, &loop);
    impl_->loop_left.wait(lock, [&] { return loop.helpers == 0; });
  }
  if (loop.error != nullptr) std::rethrow_exception(loop.error);
}

void ThreadPool::Schedule(std::function<void()> task) {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->tasks.push_back(std::move(task));
    impl_->Announce();
  }
  impl_->wake.notify_one();
}

bool ThreadPool::RunOne() {
  std::unique_lock lock(impl_->mutex);
  return impl_->WorkOnce(lock);
}

bool ThreadPool::HasIdleThread() const { return impl_->idle.load(std::memory_order_relaxed) > 0; }

void ThreadPool::Help(RawDone done, const void* context) {
  std::unique_lock lock(impl_->mutex);
  while (!done(context)) {
    const int64_t seen = impl_->news.load(std::memory_order_relaxed);
    if (!impl_->WorkOnce(lock) && !done(context)) impl_->Idle(lock, seen);
  }
}

void ThreadPool::WakeAll() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->Announce();
  }
  impl_->wake.notify_all();
}

}  // namespace plumb::fast
