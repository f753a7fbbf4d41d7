#include "fastpath/gpu/runtime/watcher.h"

#include <chrono>
#include <utility>

#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

using Clock = std::chrono::steady_clock;

// For an event whose work is under way: a training step of a small model is over by then.
constexpr std::chrono::microseconds kLooksAtWork{1000};
// For something to do: the next copy of a step, or of the next one.
constexpr std::chrono::microseconds kLooksForWork{50};

// Others get the core meanwhile where they wait for one.
template <class Holds>
void LookUntil(Clock::time_point end, const Holds& holds) {
  while (!holds() && Clock::now() < end) std::this_thread::yield();
}

// The longer it takes, the less often the runtime is asked, which whoever queues work needs meanwhile: an eighth of the
// time is lost at most.
Status AwaitEvent(const CudaEvent& event) {
  const Clock::time_point begin = Clock::now();
  cudaError_t error = event.Query();
  for (Clock::time_point now = begin; error == cudaErrorNotReady && now < begin + kLooksAtWork; now = Clock::now()) {
    LookUntil(now + (now - begin) / 8, [] { return false; });
    error = event.Query();
  }
  if (error == cudaErrorNotReady) error = cudaEventSynchronize(event.handle());
  return StatusOf(error, "the work on a GPU");
}

}  // namespace

Watcher::~Watcher() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

void Watcher::Stop() {
  MutexLock lock(mutex_);
  stop_ = true;
  news_.fetch_add(1, std::memory_order_release);
  changed_.NotifyAll();
}

void Watcher::Await(std::shared_ptr<CudaEvent> event, Callback callback) {
  MutexLock lock(mutex_);
  waits_.push_back({std::move(event), std::move(callback)});
  if (!thread_.joinable()) thread_ = std::thread([this] { ThreadMain(); });
  news_.fetch_add(1, std::memory_order_release);
  if (is_asleep_) changed_.NotifyAll();
}

Watcher::Wait Watcher::Next() {
  MutexLock lock(mutex_);
  if (waits_.empty() && !stop_) {
    const int64_t seen = news_.load(std::memory_order_relaxed);
    MutexUnlock unlocked(mutex_);
    LookUntil(Clock::now() + kLooksForWork, [&] { return news_.load(std::memory_order_acquire) != seen; });
  }
  is_asleep_ = true;
  while (waits_.empty() && !stop_) changed_.Wait(mutex_);
  is_asleep_ = false;
  if (waits_.empty()) return {};
  Wait next = std::move(waits_.front());
  waits_.pop_front();
  return next;
}

void Watcher::ThreadMain() {
  static_cast<void>(cudaSetDevice(device_));  // if it cannot be chosen, the waits below say so
  for (Wait wait = Next(); wait.event != nullptr; wait = Next()) {
    const Status status = AwaitEvent(*wait.event);
    wait.event.reset();
    wait.callback(status);
    wait.callback = nullptr;  // what it holds is let go before the next wait, which may be a long one
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
