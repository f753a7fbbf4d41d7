#include "fastpath/gpu/emulator/spare_threads.h"

#include <unistd.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "spec/core/thread_annotations.h"

namespace plumb::fast::emulated_gpu::emulator {
namespace {

// So many wait for a job; the others end.
constexpr size_t kMostSpare = 8;

// The threads of a process: in one that was forked those of its parent are not there.
class SpareThreads {
 public:
  static SpareThreads& OfThisProcess() {
    static std::atomic<SpareThreads*> threads = nullptr;  // never deleted: threads wait until the process ends
    SpareThreads* known = threads.load(std::memory_order_acquire);
    while (known == nullptr || known->process_ != getpid()) {
      auto* const fresh = new SpareThreads;
      if (threads.compare_exchange_strong(known, fresh, std::memory_order_acq_rel)) return *fresh;
      delete fresh;
    }
    return *known;
  }

  void Run(std::function<void()> job) {
    {
      MutexLock lock(mutex_);
      if (!spare_.empty()) {
        Spare& spare = *spare_.back();
        spare_.pop_back();
        spare.job = std::move(job);
        spare.has_job.NotifyOne();
        return;
      }
    }
    std::thread([this, job = std::move(job)]() mutable { ThreadMain(std::move(job)); }).detach();
  }

 private:
  struct Spare {
    std::function<void()> job;
    CondVar has_job;
  };

  void ThreadMain(std::function<void()> job) {
    for (;;) {
      job();
      job = nullptr;
      Spare me;
      MutexLock lock(mutex_);
      if (spare_.size() == kMostSpare) return;
      spare_.push_back(&me);
      while (!me.job) me.has_job.Wait(mutex_);
      job = std::move(me.job);
    }
  }

  const pid_t process_ = getpid();
  Mutex mutex_;
  std::vector<Spare*> spare_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace

void RunOnSpareThread(std::function<void()> job) { SpareThreads::OfThisProcess().Run(std::move(job)); }

}  // namespace plumb::fast::emulated_gpu::emulator
